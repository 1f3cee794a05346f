"""Times other libraries with the work of the benchmarks `thumbnail`, `play`, `resample`, `blur` and `round corners`, and
prints medians.

    peers.py [SECONDS]

A thumbnail is a file in memory made 400 pixels wide and a JPEG of quality 80 in memory; an animation is all of its frames
as RGBA, composed. Steps of processing take pixels that are in memory, three bytes each for libvips, four for Pillow, and
leave pixels in memory. Pillow rounds corners without smoothing them. Everything happens in this process, so that no start of a program is measured.
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
from PIL import Image, ImageDraw, ImageFilter, ImageSequence, features

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


def vips_pixels(data):
    return pyvips.Image.new_from_buffer(data, "").copy_memory()


def pillow_pixels(data):
    return Image.open(io.BytesIO(data)).convert("RGB")


def vips_screen(data):
    """2 megapixels of it."""
    return vips_pixels(data).thumbnail_image(1920, height=1080, crop="centre", size="force").copy_memory()


def pillow_screen(data):
    return pillow_pixels(data).resize((1920, 1080))


def vips_resample(picture):
    return picture.resize(0.1, kernel="lanczos3").write_to_memory()


def pillow_resample(picture):
    return picture.resize((400, 300), Image.Resampling.LANCZOS)


def vips_blur(picture):
    return picture.gaussblur(10).write_to_memory()


def pillow_blur(picture):
    return picture.filter(ImageFilter.GaussianBlur(10))


def vips_round(picture):
    shape = f'<svg width="{picture.width}" height="{picture.height}"><rect rx="40" width="100%" height="100%"/></svg>'
    mask = pyvips.Image.svgload_buffer(shape.encode())[3]
    return picture.bandjoin(mask).write_to_memory()


def pillow_round(picture):
    mask = Image.new("L", picture.size)
    ImageDraw.Draw(mask).rounded_rectangle((0, 0, picture.width - 1, picture.height - 1), 40, fill=255)
    result = picture.copy()
    result.putalpha(mask)
    return result


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
    data = (INPUTS / "photo.jpg").read_bytes()
    steps = [
        ("resample 12 MP Lanczos3", vips_pixels, vips_resample, pillow_pixels, pillow_resample),
        ("blur 2 MP", vips_screen, vips_blur, pillow_screen, pillow_blur),
        ("round corners 2 MP", vips_screen, vips_round, pillow_screen, pillow_round),
    ]
    for name, vips_input, vips, pillow_input, pillow in steps:
        beside = cell(vips, vips_input(data), seconds)
        print(f"{name:28}{beside:>14}{cell(pillow, pillow_input(data), seconds):>14}", flush=True)


if __name__ == "__main__":
    main()
