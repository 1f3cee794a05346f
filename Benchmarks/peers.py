"""Times other libraries with the work of the benchmarks `thumbnail` and `play`, and prints medians.

    peers.py [SECONDS]

A thumbnail is a file in memory made 400 pixels wide and a JPEG of quality 80 in memory; an animation is all of its frames
as RGBA, composed. Everything happens in this process, so that no start of a program is measured.
"""

import io
import os
import pathlib
import statistics
import sys
import time

# Before libvips is loaded: the library under test takes one processor for one picture.
os.environ.setdefault("VIPS_CONCURRENCY", "1")

import PIL
import pyvips
from PIL import Image, ImageSequence, features

INPUTS = pathlib.Path(__file__).parent / ".build/inputs"


def vips_thumbnail(data):
    picture = pyvips.Image.thumbnail_buffer(data, 400)
    return picture.jpegsave_buffer(Q=80, strip=True)


def pillow_thumbnail(data):
    with Image.open(io.BytesIO(data)) as picture:
        # JPEG is scaled while it is decoded, to no less than this.
        picture.draft("RGB", (400, 300))
        small = picture.convert("RGB").resize((400, 300), Image.Resampling.LANCZOS)
    room = io.BytesIO()
    small.save(room, "JPEG", quality=80)
    return room.getvalue()


def vips_play(data):
    picture = pyvips.Image.new_from_buffer(data, "", n=-1)
    return picture.colourspace("srgb").write_to_memory()


def pillow_play(data):
    with Image.open(io.BytesIO(data)) as picture:
        return [frame.convert("RGBA").tobytes() for frame in ImageSequence.Iterator(picture)]


def median(operation, data, seconds):
    """Milliseconds; the first two runs warm up."""
    times = []
    end = time.perf_counter() + seconds
    runs = 0
    while runs < 5 or time.perf_counter() < end:
        start = time.perf_counter()
        result = operation(data)
        elapsed = time.perf_counter() - start
        if not result:
            raise RuntimeError("nothing was made")
        runs += 1
        if runs > 2:
            times.append(elapsed * 1e3)
    return statistics.median(times)


def cell(operation, data, seconds):
    try:
        return f"{median(operation, data, seconds):.1f} ms"
    except (pyvips.Error, OSError) as error:
        return f"cannot ({str(error).splitlines()[0][:24]})"


def main():
    seconds = float(sys.argv[1]) if len(sys.argv) > 1 else 4
    version = ".".join(str(pyvips.version(part)) for part in range(3))
    turbo = features.version("libjpeg_turbo")
    print(f"libvips {version}, {os.environ['VIPS_CONCURRENCY']} thread; Pillow {PIL.__version__}, libjpeg-turbo {turbo}")
    print(f"{'':28}{'libvips':>14}{'Pillow':>14}")
    rows = [
        ("thumbnail JPEG", "photo.jpg", vips_thumbnail, pillow_thumbnail),
        ("thumbnail progressive JPEG", "progressive.jpg", vips_thumbnail, pillow_thumbnail),
        ("thumbnail PNG", "photo.png", vips_thumbnail, pillow_thumbnail),
        ("thumbnail WebP", "photo.webp", vips_thumbnail, pillow_thumbnail),
        ("thumbnail AVIF", "photo.avif", vips_thumbnail, pillow_thumbnail),
        ("play GIF, 60 frames", "moving.gif", vips_play, pillow_play),
        ("play WebP, 60 frames", "moving.webp", vips_play, pillow_play),
    ]
    for name, file, vips, pillow in rows:
        data = (INPUTS / file).read_bytes()
        print(f"{name:28}{cell(vips, data, seconds):>14}{cell(pillow, data, seconds):>14}", flush=True)


if __name__ == "__main__":
    main()
