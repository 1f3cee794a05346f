#!/usr/bin/env python3
"""Makes every picture in this folder, the same each time.

Needs Python 3.11 or later with numpy, scipy and Pillow, and cwebp and gif2webp on the path.
"""

import struct
import subprocess
import sys
import tempfile
import zlib
from pathlib import Path

sys.dont_write_bytecode = True

import numpy as np
from PIL import Image, ImageDraw

from landscape import DAY, DUSK, Scene, Terrain, developed

HERE = Path(__file__).resolve().parent
PHOTOGRAPH_LIMIT = 960_000  # bytes


def run(*arguments):
    subprocess.run([str(a) for a in arguments], check=True, capture_output=True)


def photograph(terrain):
    """12 megapixels; the best quality between 75 and 60 that stays under the limit."""
    pixels = developed(Scene(terrain, 7, DAY).render(4000, 3000), np.random.default_rng(1), grain=1.0)
    image, file = Image.fromarray(pixels), HERE / "photograph.jpg"
    for quality in range(75, 59, -1):
        image.save(file, quality=quality, subsampling="4:2:0", optimize=True)
        if file.stat().st_size < PHOTOGRAPH_LIMIT:
            return image, quality
    raise SystemExit("the photograph does not fit")


def crop(image, box, size):
    return image.crop(box).resize(size, Image.Resampling.LANCZOS)


def jpegs(day, dusk):
    evening = dusk.resize((640, 480), Image.Resampling.LANCZOS)
    evening.save(HERE / "progressive.jpg", quality=80, progressive=True, subsampling="4:2:0")
    # Tagged "turn by 90 degrees clockwise to view": stored as 480 by 360, shown as 360 by 480.
    upright = crop(day, (0, 650, 1425, 2550), (360, 480))
    exif = Image.Exif()
    exif[0x0112] = 6
    stored = upright.transpose(Image.Transpose.ROTATE_90)
    stored.save(HERE / "orientation-6.jpg", quality=80, exif=exif)
    crop(day, (2200, 500, 4000, 1700), (600, 400)).convert("L").save(HERE / "gray.jpg", quality=80)


def planet(size):
    """A banded planet with a ring; see-through around it, half see-through in the ring and the glow."""
    v, u = np.mgrid[-1:1:size * 1j, -1:1:size * 1j] * 1.25
    tilt = 0.42
    x, y = u * np.cos(tilt) - v * np.sin(tilt), u * np.sin(tilt) + v * np.cos(tilt)
    radius = np.hypot(u, v) / 0.62
    depth = np.sqrt(np.clip(1 - radius**2, 0, 1))
    light = np.clip((-0.55 * u - 0.35 * v) / 0.62 + 0.75 * depth, 0.04, 1)
    band = np.sin(y * 24 + 1.3 * np.sin(x * 3.1 + y * 5)) * 0.5 + 0.5
    colour = np.array([235, 170, 105]) * band[..., None] + np.array([170, 86, 92]) * (1 - band[..., None])
    soft = np.clip((1 - radius) * size / 4, 0, 1)
    glow = 0.55 * np.exp(-np.clip(radius - 1, 0, None) * 9)
    rgb = colour * light[..., None] * soft[..., None] + np.array([255, 150, 110]) * (1 - soft[..., None])
    alpha = np.maximum(soft, glow * (1 - soft))
    ring = np.hypot(x, y / 0.26)
    inside = np.clip((ring - 0.78) * 40, 0, 1) * np.clip((1.16 - ring) * 40, 0, 1)
    inside *= (0.45 + 0.25 * np.sin(ring * 95)) * np.where((y < 0) & (radius < 1), 0, 1)
    rgb = rgb * (1 - inside[..., None]) + np.array([250, 226, 190]) * inside[..., None]
    alpha = alpha + inside * (1 - alpha)
    return Image.fromarray(np.dstack([np.clip(rgb, 0, 255), alpha * 255]).round().astype(np.uint8), "RGBA")


def tiles(size):
    """Overlapping circles in flat colours: what a palette is good at."""
    inks = [(244, 238, 222), (226, 88, 62), (240, 174, 66), (42, 110, 126), (28, 44, 70), (134, 178, 150)]
    random, scale, step = np.random.default_rng(12), 4, size // 5
    image = Image.new("RGB", (size * scale, size * scale), inks[0])
    paint = ImageDraw.Draw(image)
    for row in range(5):
        for column in range(5):
            a, b, c = random.permutation(6)[:3]
            left, top, side = column * step * scale, row * step * scale, step * scale
            paint.rectangle((left, top, left + side - 1, top + side - 1), inks[a])
            turn = int(random.integers(4)) * 90
            x, y = left + (side if turn in (90, 180) else 0), top + (side if turn >= 180 else 0)
            for reach, ink in ((side, b), (side // 2, c)):
                paint.pieslice((x - reach, y - reach, x + reach - 1, y + reach - 1), turn, turn + 90, inks[ink])
    return image.resize((size, size), Image.Resampling.LANCZOS)


def bouncing(count, width, height):
    """A ball that bounces once around: squashed on the floor, its shadow under it."""
    frames, scale = [], 3
    for index in range(count):
        t = index / count
        up = 1 - (2 * t - 1) ** 2
        squash = 0.24 * np.clip(1 - up * 6, 0, 1)
        image = Image.new("RGB", (width * scale, height * scale), (36, 52, 84))
        paint = ImageDraw.Draw(image)
        floor, radius = height * 0.82, height * 0.15
        paint.rectangle((0, int(floor * scale), width * scale, height * scale), (58, 82, 120))
        wide, tall = radius * (1 + squash), radius * (1 - squash)
        x, y = width / 2, floor - tall - up * height * 0.48

        def oval(cx, cy, rx, ry, ink):
            paint.ellipse([v * scale for v in (cx - rx, cy - ry, cx + rx, cy + ry)], ink)

        oval(x, floor + radius * 0.2, radius * (1.1 - 0.5 * up), radius * 0.22 * (1 - 0.4 * up), (30, 42, 68))
        for ring in range(12):
            k = ring / 12
            ink = tuple(int(a + (b - a) * k) for a, b in zip((196, 52, 44), (255, 186, 110)))
            oval(x - wide * 0.30 * k, y - tall * 0.34 * k, wide * (1 - k), tall * (1 - k), ink)
        frames.append(image.resize((width, height), Image.Resampling.LANCZOS))
    return frames


def waves(count, size):
    """Rings that run outward from two places, as light on water; loops without a seam."""
    v, u = np.mgrid[-1:1:size * 1j, -1:1:size * 1j]
    frames = []
    for index in range(count):
        turn = 2 * np.pi * index / count
        height = np.cos(np.hypot(u - 0.4, v) * 22 - turn) + np.cos(np.hypot(u + 0.4, v + 0.2) * 22 - turn)
        k = (height / 4 + 0.5)[..., None]
        rgb = np.array([16, 34, 74]) * (1 - k) + np.array([126, 226, 214]) * k
        frames.append(Image.fromarray(rgb.round().astype(np.uint8)))
    return frames


def orbit(count, size):
    """Dots that circle on nothing: frames with transparency."""
    frames, scale = [], 4
    for index in range(count):
        image = Image.new("RGBA", (size * scale, size * scale), (255, 120, 80, 0))
        paint = ImageDraw.Draw(image)
        for dot in range(10):
            angle = 2 * np.pi * (dot / 10 + index / count)
            x, y = (size * scale / 2 * (1 + 0.74 * f(angle)) for f in (np.cos, np.sin))
            reach = size * scale * (0.03 + 0.008 * dot)
            ink = (255 - 14 * dot, 90 + 12 * dot, 70 + 18 * dot, 60 + 195 * dot // 9)
            paint.ellipse((x - reach, y - reach, x + reach, y + reach), ink)
        small = image.resize((size, size), Image.Resampling.BOX)
        frames.append(small.point(lambda value: value // 17 * 17))  # 16 steps a channel pack far better
    return frames


def hills(width, height):
    """A low sun behind hills, as on a poster."""
    scale = 3
    image = Image.new("RGB", (width * scale, height * scale), (250, 214, 165))
    paint = ImageDraw.Draw(image)
    for k, ink in ((0.30, (252, 196, 132)), (0.22, (250, 160, 98)), (0.15, (238, 98, 70))):
        x, y, reach = (v * scale for v in (0.62 * width, 0.46 * height, k * width))
        paint.ellipse((x - reach, y - reach, x + reach, y + reach), ink)
    columns = np.arange(width * scale) / (width * scale)
    for layer, ink in enumerate(((214, 122, 110), (158, 84, 108), (98, 60, 98), (48, 38, 74))):
        wide = columns * (1 + 0.35 * layer)
        wave = sum(np.sin(wide * (5 + 3.1 * n) + 2.3 * layer * n + n) / (n + 1) ** 1.4 for n in range(5))
        top = (0.52 + 0.115 * layer + 0.055 * wave) * height * scale
        edge = [(x, float(y)) for x, y in enumerate(top)]
        paint.polygon([(0, height * scale), *edge, (width * scale, height * scale)], ink)
    return image.resize((width, height), Image.Resampling.LANCZOS)


def pngs():
    planet(360).save(HERE / "rgba.png", optimize=True)
    Image.new("RGB", (1, 1), (226, 88, 62)).save(HERE / "one-pixel.png")
    frames = orbit(20, 200)
    frames[0].save(HERE / "animated.png", save_all=True, append_images=frames[1:], duration=50, loop=0,
                   disposal=1, blend=0)


def interlaced_palette_png(image, file):
    """Written chunk by chunk, since Pillow writes no interlaced files. Seven passes: PNG specification, 8.2."""
    indexed = image.quantize(64, dither=Image.Dither.NONE)
    pixels = np.asarray(indexed)
    palette = bytes(indexed.getpalette()[: 3 * (int(pixels.max()) + 1)])
    rows = bytearray()
    passes = ((0, 0, 8, 8), (4, 0, 8, 8), (0, 4, 4, 8), (2, 0, 4, 4), (0, 2, 2, 4), (1, 0, 2, 2), (0, 1, 1, 2))
    for x, y, dx, dy in passes:
        for row in pixels[y::dy, x::dx]:
            rows += b"\0" + row.tobytes()

    def chunk(name, body):
        return struct.pack(">I", len(body)) + name + body + struct.pack(">I", zlib.crc32(name + body))

    header = struct.pack(">IIBBBBB", image.width, image.height, 8, 3, 0, 0, 1)
    file.write_bytes(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"PLTE", palette)
                     + chunk(b"IDAT", zlib.compress(bytes(rows), 9)) + chunk(b"IEND", b""))


def gifs():
    def save(file, frames, colours, **options):
        ink = frames[0].quantize(colours)
        flat = [f.quantize(palette=ink, dither=Image.Dither.NONE) for f in frames]
        flat[0].save(file, save_all=len(flat) > 1, append_images=flat[1:], **options)

    save(HERE / "still.gif", [hills(400, 300)], 32)
    save(HERE / "animated.gif", bouncing(24, 240, 240), 48, duration=40, loop=0)


def webps(day, dusk):
    with tempfile.TemporaryDirectory() as folder:
        folder = Path(folder)
        crop(dusk, (560, 200, 1600, 850), (640, 400)).save(folder / "still.png")
        run("cwebp", "-q", 78, folder / "still.png", "-o", HERE / "lossy.webp")
        planet(320).rotate(180).save(folder / "planet.png")
        run("cwebp", "-lossless", "-z", 9, folder / "planet.png", "-o", HERE / "lossless-alpha.webp")
        frames = [f.quantize(128) for f in waves(16, 220)]
        frames[0].save(folder / "waves.gif", save_all=True, append_images=frames[1:], duration=60, loop=0)
        run("gif2webp", "-lossy", "-q", 60, "-m", 6, folder / "waves.gif", "-o", HERE / "animated.webp")


def main():
    terrain = Terrain(3)
    day, quality = photograph(terrain)
    dusk = Image.fromarray(developed(Scene(terrain, 7, DUSK).render(1600, 1200), np.random.default_rng(2), grain=0.6))
    jpegs(day, dusk)
    pngs()
    interlaced_palette_png(tiles(400), HERE / "palette-interlaced.png")
    gifs()
    webps(day, dusk)
    for file in sorted(p for p in HERE.iterdir() if p.suffix in {".jpg", ".png", ".gif", ".webp"}):
        print(f"{file.stat().st_size:9,}  {file.name}")
    print(f"photograph.jpg: quality {quality}")


if __name__ == "__main__":
    main()
