#!/bin/sh
# Makes the fixtures. Needs cjpeg, djpeg and jpegtran of libjpeg-turbo 2.1.5, Python 3 with Pillow, and xz.
# The expected pixels are djpeg's and Pillow's, not this package's.
set -e
cd "$(dirname "$0")"
python3 make.py source.ppm gray.pgm

cjpeg -quality 85 source.ppm > baseline.jpg
cjpeg -quality 85 -sample 1x1 source.ppm > full-colour.jpg
cjpeg -quality 85 -sample 2x1 source.ppm > wide-colour.jpg
cjpeg -quality 85 -restart 1 source.ppm > restart.jpg
cjpeg -quality 85 -rgb source.ppm > rgb.jpg
cjpeg -quality 85 -arithmetic source.ppm > arithmetic.jpg
cjpeg -quality 85 gray.pgm > gray.jpg
jpegtran -progressive baseline.jpg > progressive.jpg
cat > scans.txt <<'S'
0; 1; 2;
S
jpegtran -scans scans.txt baseline.jpg > scan-per-colour.jpg
# The order in which mozjpeg brings coefficients: luma is refined before colour comes.
cat > scans.txt <<'S'
0 1 2: 0-0, 0, 0;
0: 1-8, 0, 2;
0: 9-63, 0, 2;
0: 1-63, 2, 1;
0: 1-63, 1, 0;
1: 1-8, 0, 2;
1: 9-63, 0, 2;
1: 1-63, 2, 1;
1: 1-63, 1, 0;
2: 1-8, 0, 2;
2: 9-63, 0, 2;
2: 1-63, 2, 1;
2: 1-63, 1, 0;
S
jpegtran -scans scans.txt baseline.jpg > luma-first.jpg
rm scans.txt gray.pgm

# What the encoder has to make of the same pixels.
cjpeg -quality 80 source.ppm > encoded-80.jpg
cjpeg -quality 92 -sample 1x1 source.ppm > encoded-92.jpg
cjpeg -quality 80 -progressive source.ppm > encoded-80-progressive.jpg

# djpeg's pixels by their FNV-1a hash, a line each: file, eighths, width, height, hash.
: > pixels.txt
for file in baseline full-colour wide-colour restart rgb arithmetic gray progressive scan-per-colour luma-first; do
    for eighths in 8 4 2 1; do
        djpeg -rgb -pnm -scale $eighths/8 $file.jpg | python3 hash.py $file.jpg $eighths >> pixels.txt
    done
done
