#!/bin/sh
# Makes pictures with EXIF, XMP, profiles, thumbnails and gain maps. Needs exiftool, cwebp (package webp) and Python 3 with
# Pillow. What the tests expect of them was read back with exiftool.
set -e
cd "$(dirname "$0")"
rm -f *.jpg *.png *.webp *.txt
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

# What exiftool takes out, byte by byte.
for file in both.jpg both.png both.webp; do
    exiftool -b -XMP "$file" > "$file.xmp.txt"
done
