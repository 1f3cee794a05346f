#!/bin/sh
# Makes pictures with EXIF, XMP, profiles, thumbnails and gain maps. Needs exiftool, cwebp (package webp), avifenc
# (libavif-bin), heif-enc (libheif-examples), cjxl (libjxl-tools), ImageMagick and Python 3 with Pillow and pillow-heif. What the
# tests expect of them was read back with exiftool.
set -e
cd "$(dirname "$0")"
rm -f *.jpg *.png *.webp *.txt *.avif *.heic *.jxl *.tiff
python3 make.py

tag() { exiftool -q -overwrite_original "$@"; }

for file in plain.jpg plain.png plain.webp; do
    extension=${file##*.}
    # EXIF and XMP do not agree: EXIF counts.
    cp "$file" "both.$extension"
    tag -n -IFD0:Orientation=6 -XMP-tiff:Orientation=3 -IFD0:Artist='A painter' -XMP-dc:Title='A title' "both.$extension"
    cp "$file" "xmp.$extension"
    tag -n -XMP-tiff:Orientation=8 "xmp.$extension"
done
tag '-ThumbnailImage<=small.jpg' -n -IFD0:Orientation=6 large.jpg
tag '-ThumbnailImage<=square.jpg' letterbox.jpg
rm small.jpg square.jpg


# Containers that say another orientation than EXIF and XMP in them: the container counts.
exiftool -q -b -Exif both.jpg > both.exif
exiftool -q -b -XMP both.jpg > both.xmp
avifenc -j 1 -s 8 --min 20 --max 24 --irot 1 --exif both.exif --xmp both.xmp --icc ../color/p3.icc plain.png both.avif > /dev/null
avifenc -j 1 -s 8 --min 20 --max 24 plain.png plain.avif > /dev/null
convert plain.png -profile ../color/p3.icc profiled.png
heif-enc -q 80 profiled.png -o plain.heic
python3 - << 'END'
import pillow_heif
from PIL import Image
pillow_heif.register_heif_opener()
exif = Image.Exif()
exif[274] = 8
image = Image.open("profiled.png")
image.save("both.heic", quality=80, exif=exif.tobytes(), icc_profile=image.info["icc_profile"])
image.save("both.tiff", compression="tiff_deflate", icc_profile=image.info["icc_profile"])
image.save("plain.tiff", compression="tiff_deflate")
END
tag -n -IFD0:Orientation=6 -XMP-tiff:Orientation=3 -IFD0:Artist='A painter' -XMP-dc:Title='A title' both.heic
tag -n -IFD0:Orientation=6 -XMP-tiff:Orientation=3 -IFD0:Artist='A painter' -XMP-dc:Title='A title' \
    -ExifIFD:ExposureTime=0.004 -GPSLatitude=48.5 -GPSLatitudeRef=N both.tiff
# cjxl packs the boxes, and takes the orientation out of EXIF into the codestream.
cjxl both.jpg both.jxl --lossless_jpeg=1 2> /dev/null
cjxl profiled.png boxes.jxl -d 0 --container=1 2> /dev/null
tag -n -IFD0:Orientation=6 -XMP-tiff:Orientation=3 -IFD0:Artist='A painter' -XMP-dc:Title='A title' boxes.jxl

python3 raw-profiles.py
for file in raw-packed.png raw-segment.png; do
    test "$(exiftool -s3 -Artist "$file")" = 'A painter'
done
test "$(exiftool -s3 -XMP:Title raw-packed.png)" = 'A title'
python3 extended.py
test "$(exiftool -api LargeFileSupport -s3 -XMP-dc:Description extended.jpg | wc -c)" -gt 900
rm both.exif profiled.png

# What exiftool takes out, byte by byte.
for file in both.jpg both.png both.webp both.heic both.tiff; do
    exiftool -b -XMP "$file" > "$file.xmp.txt"
done
mv both.xmp both.avif.xmp.txt
