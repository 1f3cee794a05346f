#!/usr/bin/env python3
"""Makes the PNG, WebP and GIF files of these folders, and the pixels they have to decode to.

Needs Pillow, numpy and pypng, and the programs cwebp, dwebp, webpmux (package webp) and gifsicle.
NAME.rgba holds the expected rows: RGBA, colours multiplied by alpha as (c * a + 127) // 255, without padding.
"""
import io, os, pathlib, struct, subprocess, tempfile, zlib
import numpy as np
import png
from PIL import Image

HERE = pathlib.Path(__file__).parent
W, H = 33, 21
rng = np.random.default_rng(7)
y, x = np.mgrid[0:H, 0:W]


def premultiplied(rgba):
    rgba = np.asarray(rgba, dtype=np.uint32)
    a = rgba[..., 3:4]
    return np.concatenate([(rgba[..., :3] * a + 127) // 255, a], axis=2).astype(np.uint8)


def opaque(rgb):
    return np.concatenate([rgb, np.full(rgb.shape[:2] + (1,), 255, rgb.dtype)], axis=2)


def expect(path, rgba):
    (HERE / path).with_suffix(".rgba").write_bytes(premultiplied(rgba).tobytes())


def to8(values16):
    return np.round(values16 / 257.0).astype(np.uint8)


rgb = np.stack([x * 255 // (W - 1), y * 255 // (H - 1), (x * y * 7) % 256], axis=2).astype(np.uint8)
alpha = ((x * 9 + y * 5) % 256).astype(np.uint8)
alpha[0, :5] = [0, 1, 127, 254, 255]
rgba = np.concatenate([rgb, alpha[..., None]], axis=2)
noise16 = rng.integers(0, 65536, (H, W, 4), dtype=np.uint16)


# ---- PNG -------------------------------------------------------------------------------------------------------------
def write_png(name, rows, expected, **options):
    path = HERE / "png" / name
    height, width = expected.shape[:2]
    with open(path, "wb") as file:
        png.Writer(width, height, **options).write(file, [list(map(int, np.ravel(r))) for r in rows])
    expect(f"png/{name}", expected)


def chunks(data):
    position = 8
    while position < len(data):
        length, = struct.unpack(">I", data[position:position + 4])
        yield data[position + 4:position + 8], data[position + 8:position + 8 + length]
        position += 12 + length


def join(parts):
    body = b"".join(struct.pack(">I", len(c)) + n + c + struct.pack(">I", zlib.crc32(n + c)) for n, c in parts)
    return b"\x89PNG\r\n\x1a\n" + body


write_png("rgb8.png", rgb, opaque(rgb), greyscale=False)
write_png("rgba8.png", rgba, rgba, greyscale=False, alpha=True)
write_png("rgba8-interlaced.png", rgba, rgba, greyscale=False, alpha=True, interlace=True)
write_png("rgb8-interlaced.png", rgb, opaque(rgb), greyscale=False, interlace=True)
gray = rgb[..., 2]
write_png("gray8.png", gray, opaque(np.stack([gray] * 3, 2)), greyscale=True)
ga = np.stack([gray, alpha], 2)
write_png("gray-alpha8.png", ga, np.stack([gray, gray, gray, alpha], 2), greyscale=True, alpha=True)
keyed = np.where(gray == gray[3, 3], 0, 255).astype(np.uint8)
write_png("gray8-key.png", gray, np.stack([gray, gray, gray, keyed], 2), greyscale=True, transparent=int(gray[3, 3]))
key = tuple(int(v) for v in rgb[4, 5])
keyed = np.where((rgb == rgb[4, 5]).all(2), 0, 255).astype(np.uint8)
write_png("rgb8-key.png", rgb, np.concatenate([rgb, keyed[..., None]], 2), greyscale=False, transparent=key)
for bits in (1, 2, 4):
    values = (x + y * 3) % (1 << bits)
    scaled = (values * 255 // ((1 << bits) - 1)).astype(np.uint8)
    write_png(f"gray{bits}.png", values, opaque(np.stack([scaled] * 3, 2)), greyscale=True, bitdepth=bits)

palette = [tuple(int(v) for v in rng.integers(0, 256, 3)) for _ in range(200)]
index = (x * 13 + y * 31) % 200
colors = np.array(palette, np.uint8)[index]
write_png("palette8.png", index, opaque(colors), palette=palette, bitdepth=8)
small = index % 16
write_png("palette4.png", small, opaque(np.array(palette[:16], np.uint8)[small]), palette=palette[:16], bitdepth=4)
# A palette with fewer alphas than colours, and a gamma.
partial = [p + (a,) for p, a in zip(palette[:40], range(0, 240, 6))] + palette[40:]
alphas = np.array([p[3] if len(p) == 4 else 255 for p in partial], np.uint8)[index]
write_png("palette-alpha-gamma.png", index, np.concatenate([colors, alphas[..., None]], 2), palette=partial,
          bitdepth=8, gamma=0.45455)
write_png("rgba16.png", noise16, to8(noise16), greyscale=False, alpha=True, bitdepth=16)
# A gamma of one: samples are light itself.
light = noise16[..., :3] / 65535
srgb = np.where(light <= 0.0031308, 12.92 * light, 1.055 * np.power(light, 1 / 2.4) - 0.055)
write_png("rgb16-gamma.png", noise16[..., :3], opaque(np.round(255 * srgb).astype(np.uint8)), greyscale=False,
          bitdepth=16, gamma=1.0)
write_png("gray16.png", noise16[..., 0], opaque(np.stack([to8(noise16[..., 0])] * 3, 2)), greyscale=True, bitdepth=16)
# Only the exact 16-bit value is transparent; others that round to the same 8 bits are not.
g16 = (30000 + x + y * W).astype(np.uint16)
keyed = np.where(g16 == 30100, 0, 255).astype(np.uint8)
write_png("gray16-key.png", g16, np.stack([to8(g16)] * 3 + [keyed], 2), greyscale=True, bitdepth=16, transparent=30100)
for side in range(1, 10):
    write_png(f"interlaced-{side}.png", rgba[:side, :side], rgba[:side, :side], greyscale=False, alpha=True,
              interlace=True)

plain = (HERE / "png/rgba8.png").read_bytes()
head, *rest = chunks(plain)
pixels = b"".join(c for n, c in rest if n == b"IDAT")
(HERE / "png/split.png").write_bytes(join([head] + [(b"IDAT", pixels[i:i + 1]) for i in range(len(pixels))] + [rest[-1]]))
expect("png/split.png", rgba)
bomb = zlib.compress(bytes(8 << 20), 9)
(HERE / "png/text-bomb.png").write_bytes(join(
    [head, (b"zTXt", b"Comment\0\0" + bomb), (b"iCCP", b"profile\0\0" + bomb)] + rest))
expect("png/text-bomb.png", rgba)
Image.fromarray(rgba).save(HERE / "png/optimised.png", optimize=True)
expect("png/optimised.png", rgba)
exif = Image.Exif()
exif[0x0112] = 6
Image.fromarray(rgba).save(HERE / "png/exif-6.png", exif=exif)
expect("png/exif-6.png", rgba)
parts = list(chunks((HERE / "png/exif-6.png").read_bytes()))
late = [p for p in parts if p[0] not in (b"eXIf", b"IEND")] + [p for p in parts if p[0] == b"eXIf"] + [parts[-1]]
(HERE / "png/exif-6-late.png").write_bytes(join(late))
frames = [Image.fromarray(np.roll(rgba, 4 * i, axis=1)) for i in range(3)]
frames[0].save(HERE / "png/animated.png", save_all=True, append_images=frames[1:], duration=100)
expect("png/animated.png", rgba)


# ---- WebP ------------------------------------------------------------------------------------------------------------
def run(*words):
    subprocess.run([str(w) for w in words], check=True, capture_output=True)


def pam(path):
    """Pixels of a PAM file by dwebp."""
    header, _, body = path.read_bytes().partition(b"ENDHDR\n")
    fields = dict(line.split(None, 1) for line in header.decode().splitlines()[1:] if " " in line)
    shape = int(fields["HEIGHT"]), int(fields["WIDTH"]), int(fields["DEPTH"])
    array = np.frombuffer(body, np.uint8).reshape(shape)
    return array if shape[2] == 4 else opaque(array)


def reference(path, expected_name, *options):
    with tempfile.TemporaryDirectory() as folder:
        out = pathlib.Path(folder) / "out.pam"
        run("dwebp", path, "-pam", *options, "-o", out)
        decoded = pam(out)
    if expected_name:
        expect(f"webp/{expected_name}", decoded)
    return decoded


def webp(name, array, *options, keep=True):
    with tempfile.TemporaryDirectory() as folder:
        source = pathlib.Path(folder) / "in.png"
        Image.fromarray(array).save(source)
        run("cwebp", *options, source, "-o", HERE / "webp" / name)
    return reference(HERE / "webp" / name, name if keep else None)


webp("lossy.webp", rgb, "-q", 80)
webp("lossy-alpha.webp", rgba, "-q", 80)
assert (webp("lossless.webp", rgba, "-lossless", "-exact") == rgba).all()
webp("lossless-opaque.webp", rgb, "-lossless")
webp("one.webp", rgb[:1, 2:3], "-lossless")
big_y, big_x = np.mgrid[0:120, 0:160]
big = np.stack([big_x * 255 // 159, big_y * 255 // 119, (big_x + big_y) % 256], 2).astype(np.uint8)
big_alpha = ((big_x * 3 + big_y) % 256).astype(np.uint8)
webp("large.webp", big, "-q", 75, keep=False)
reference(HERE / "webp/large.webp", "large-40x30.webp", "-scale", 40, 30)
webp("large-alpha.webp", np.concatenate([big, big_alpha[..., None]], 2), "-q", 75, keep=False)
reference(HERE / "webp/large-alpha.webp", "large-alpha-40x30.webp", "-scale", 40, 30)
Image.fromarray(rgb).save(HERE / "webp/exif-6.webp", exif=exif, quality=80)
reference(HERE / "webp/exif-6.webp", "exif-6.webp")
frames = [Image.fromarray(np.roll(rgba, 4 * i, axis=1)) for i in range(4)]
frames[0].save(HERE / "webp/animated.webp", save_all=True, append_images=frames[1:], duration=100, lossless=True,
               exact=True)
expect("webp/animated.webp", rgba)
run("webpmux", "-frame", HERE / "webp/lossless-opaque.webp", "+100+6+4", "-frame", HERE / "webp/lossy.webp",
    "+100+0+0", "-o", HERE / "webp/offset.webp")
canvas = np.zeros((H + 4, W + 6, 4), np.uint8)
canvas[4:4 + H, 6:6 + W] = opaque(rgb)
expect("webp/offset.webp", canvas)


# ---- GIF -------------------------------------------------------------------------------------------------------------
def gif(name, **options):
    image = Image.new("P", (W, H))
    image.putdata([int(v) for v in index.ravel()])
    image.putpalette([v for p in palette for v in p])
    image.save(HERE / "gif" / name, optimize=False, **options)


gif("plain.gif", interlace=0)
expect("gif/plain.gif", opaque(colors))
gif("interlaced.gif", interlace=1)
expect("gif/interlaced.gif", opaque(colors))
clear = np.concatenate([colors, np.where(index == 26, 0, 255).astype(np.uint8)[..., None]], 2)
gif("transparent.gif", interlace=0, transparency=26)
expect("gif/transparent.gif", clear)
run("gifsicle", "--logical-screen", "50x40", "--position", "7,9", HERE / "gif/plain.gif", "-o", HERE / "gif/offset.gif")
canvas = np.zeros((40, 50, 4), np.uint8)
canvas[9:9 + H, 7:7 + W] = opaque(colors)
expect("gif/offset.gif", canvas)
for source, name in (("plain", "clipped"), ("interlaced", "clipped-interlaced")):
    run("gifsicle", "--logical-screen", "50x40", "--position", "7,9", HERE / f"gif/{source}.gif", "-o",
        HERE / f"gif/{name}.gif")
    data = bytearray((HERE / f"gif/{name}.gif").read_bytes())
    data[6:10] = struct.pack("<HH", 20, 15)
    (HERE / f"gif/{name}.gif").write_bytes(data)
    expect(f"gif/{name}.gif", canvas[:15, :20])
frames = [Image.fromarray(np.roll(colors, 4 * i, axis=1)).quantize(64) for i in range(3)]
frames[0].save(HERE / "gif/animated.gif", save_all=True, append_images=frames[1:], duration=100, loop=0)
expect("gif/animated.gif", opaque(np.asarray(frames[0].convert("RGB"))))
run("gifsicle", HERE / "gif/animated.gif", "#0", "-o", HERE / "gif/one-frame.gif")
expect("gif/one-frame.gif", opaque(np.asarray(frames[0].convert("RGB"))))
data = bytearray((HERE / "gif/plain.gif").read_bytes())
table = 3 << ((data[10] & 7) + 1)
data[10] &= 0x7F
del data[13:13 + table]
(HERE / "gif/no-palette.gif").write_bytes(data)

# ---- Other programs agree --------------------------------------------------------------------------------------------
for path in sorted(HERE.glob("png/*.png")):
    expected = path.with_suffix(".rgba")
    if expected.exists() and "16" not in path.name and "bomb" not in path.name:
        with Image.open(path) as image:
            seen = premultiplied(np.asarray(image.convert("RGBA")))
        assert seen.tobytes() == expected.read_bytes(), path
for path in sorted(HERE.glob("gif/*.gif")):
    if path.with_suffix(".rgba").exists() and "clipped" not in path.name and "offset" not in path.name:
        with Image.open(path) as image:
            assert premultiplied(np.asarray(image.convert("RGBA"))).tobytes() == path.with_suffix(".rgba").read_bytes(), path
