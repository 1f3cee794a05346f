#!/usr/bin/env python3
"""Makes the moving pictures of this folder, and the frames that they have to compose to.

Needs Pillow, numpy, gifsicle, ImageMagick 6 (convert), apngasm, apngdis and the programs of the package webp.
FILE.rgba holds all frames as they are seen, one after the other: RGBA, colours multiplied by alpha as
(c * a + 127) // 255, without padding. GIFs are composed by ImageMagick, and gifsicle has to agree where they mean the same; APNG by
apngdis (Pillow mixes alphas that lie over each other wrongly); WebP by libwebp's own player, in Pillow.
"""
import pathlib, struct, subprocess, tempfile, zlib
import numpy as np
from PIL import Image, ImageSequence

HERE = pathlib.Path(__file__).parent
W, H = 26, 19
rng = np.random.default_rng(5)
y, x = np.mgrid[0:H, 0:W]


def run(*words):
    return subprocess.run([str(w) for w in words], check=True, capture_output=True).stdout


def premultiplied(rgba):
    rgba = np.asarray(rgba, dtype=np.uint32)
    a = rgba[..., 3:4]
    return np.concatenate([(rgba[..., :3] * a + 127) // 255, a], axis=2).astype(np.uint8)


def expect(name, frames):
    (HERE / f"{name}.rgba").write_bytes(b"".join(premultiplied(f).tobytes() for f in frames))


def by_pillow(path):
    with Image.open(path) as image:
        return [np.asarray(frame.convert("RGBA")) for frame in ImageSequence.Iterator(image)]


def by_magick(path, size):
    data = run("convert", path, "-coalesce", "-depth", 8, "rgba:-")
    return list(np.frombuffer(data, np.uint8).reshape(-1, size[1], size[0], 4))


# ---- GIF -------------------------------------------------------------------------------------------------------------
def still(folder, seed, size, transparent=None, interlaced=False):
    """A GIF of one picture with a palette of its own."""
    colors = np.random.default_rng(seed).integers(0, 256, (8, 3))
    ys, xs = np.mgrid[0:size[1], 0:size[0]]
    image = Image.new("P", size)
    image.putdata([int(v) for v in ((xs // 2 + ys // 3 + seed) % 8).ravel()])
    image.putpalette([int(v) for v in colors.ravel()])
    path = pathlib.Path(folder) / f"{seed}.gif"
    options = {} if transparent is None else {"transparency": transparent}
    image.save(path, optimize=False, interlace=1 if interlaced else 0, **options)
    return path


def merged(name, frames, size=(W, H), loop=None):
    """gifsicle puts the pictures together."""
    with tempfile.TemporaryDirectory() as folder:
        words = ["gifsicle", "--no-warnings", "--logical-screen", f"{size[0]}x{size[1]}"]
        words += ["--loopcount" if loop == 0 else f"--loopcount={loop}"] if loop is not None else ["--no-loopcount"]
        for seed, (place, how) in enumerate(frames):
            path = still(folder, seed, place[2:], how.get("transparent"), how.get("interlaced", False))
            words += [f"--disposal={how.get('disposal', 'none')}", f"--delay={how.get('delay', 10)}",
                      "--position", f"{place[0]},{place[1]}", path]
        run(*words, "-o", HERE / name)


def composed(name, size=(W, H), crop=None, is_cleared=False):
    seen = by_magick(HERE / name, size)
    # gifsicle's own way of making every frame a whole picture; it fills a cleared place with the background colour.
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / name
        run("gifsicle", "--no-warnings", "--unoptimize", HERE / name, "-o", path)
        for ours, theirs in zip(seen, by_magick(path, size), strict=True):
            assert is_cleared or (premultiplied(ours) == premultiplied(theirs)).all(), name
    expect(name, [f[:crop[1], :crop[0]] for f in seen] if crop else seen)


merged("keep.gif", [((0, 0, W, H), {}), ((3, 2, 9, 7), {"delay": 0}), ((10, 5, 16, 14), {"delay": 1, "transparent": 3}),
                    ((0, 0, W, H), {"delay": 2, "transparent": 5}), ((25, 18, 1, 1), {"delay": 300})], loop=0)
composed("keep.gif")
merged("background.gif", [((0, 0, W, H), {"disposal": "background"}), ((3, 2, 9, 7), {"disposal": "background"}),
                          ((5, 4, 16, 14), {"transparent": 3}), ((0, 3, 20, 9), {"disposal": "background"}),
                          ((2, 2, 4, 4), {})], loop=2)
composed("background.gif", is_cleared=True)
merged("previous.gif", [((0, 0, W, H), {}), ((3, 2, 9, 7), {"disposal": "previous"}),
                        ((5, 4, 16, 14), {"disposal": "previous", "transparent": 3}), ((1, 1, 8, 8), {}),
                        ((0, 3, 20, 9), {"transparent": 0}), ((2, 2, 14, 4), {"disposal": "previous"}),
                        ((9, 9, 4, 4), {})])
composed("previous.gif")
merged("mixed.gif", [((4, 3, 15, 12), {"transparent": 2, "interlaced": True}),
                     ((0, 0, W, H), {"disposal": "previous", "transparent": 1, "interlaced": True}),
                     ((8, 2, 9, 9), {"disposal": "background"}), ((0, 0, W, H), {"disposal": "background"}),
                     ((6, 6, 12, 10), {"interlaced": True, "transparent": 4})], loop=1)
composed("mixed.gif", is_cleared=True)
# Frames that stand out of the canvas: the same file on a canvas that holds them, cut afterwards.
merged("outside.gif", [((0, 0, W, H), {}), ((12, 9, 13, 9), {"disposal": "background", "interlaced": True}),
                       ((3, 16, 9, 3), {"disposal": "previous"}), ((22, 1, 4, 4), {}), ((2, 2, 20, 9), {"transparent": 6})])
composed("outside.gif", crop=(20, 15), is_cleared=True)
data = bytearray((HERE / "outside.gif").read_bytes())
data[6:10] = struct.pack("<HH", 20, 15)
(HERE / "outside.gif").write_bytes(data)


# ---- APNG ------------------------------------------------------------------------------------------------------------
def pattern(seed, size=(W, H), alpha=True):
    r = np.random.default_rng(seed)
    ys, xs = np.mgrid[0:size[1], 0:size[0]]
    color = np.stack([(xs * r.integers(3, 30) + ys * r.integers(3, 30)) % 256 for _ in range(3)], 2)
    # Clear, opaque and something between, in bands.
    a = np.array([0, 255, 255, 96, 200])[(xs // 3 + ys // 4 + seed) % 5] if alpha else np.full(xs.shape, 255)
    return np.concatenate([color, a[..., None]], 2).astype(np.uint8)


def chunks(data):
    position = 8
    while position < len(data):
        length, = struct.unpack(">I", data[position:position + 4])
        yield data[position + 4:position + 8], data[position + 8:position + 8 + length]
        position += 12 + length


def join(parts):
    body = b"".join(struct.pack(">I", len(c)) + n + c + struct.pack(">I", zlib.crc32(n + c)) for n, c in parts)
    return b"\x89PNG\r\n\x1a\n" + body


def apng(name, frames, plays=0, default=None, split=False):
    """Each frame: (array, x, y, (numerator, denominator), disposal, blending). Pixels are packed by Pillow."""
    def packed(array):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "frame.png"
            Image.fromarray(array).save(path)
            return list(chunks(path.read_bytes()))
    first = packed(default if default is not None else frames[0][0])
    parts = [first[0], (b"acTL", struct.pack(">II", len(frames), plays))]
    if default is not None:
        parts += [p for p in first if p[0] == b"IDAT"]
    number = 0
    for array, left, top, delay, disposal, blending in frames:
        parts.append((b"fcTL", struct.pack(">IIIIIHHBB", number, array.shape[1], array.shape[0], left, top, *delay,
                                           disposal, blending)))
        number += 1
        pixels = b"".join(c for n, c in packed(array) if n == b"IDAT")
        for piece in [pixels[:7], pixels[7:7], pixels[7:]] if split else [pixels]:
            if number == 1 and default is None:
                parts.append((b"IDAT", piece))
            else:
                parts.append((b"fdAT", struct.pack(">I", number) + piece))
                number += 1
    (HERE / name).write_bytes(join(parts + [(b"IEND", b"")]))
    # apngdis gives a default picture that is not part of the animation too.
    expect(name, by_apngdis(HERE / name)[-len(frames):])


def by_apngdis(path):
    with tempfile.TemporaryDirectory() as folder:
        copy = pathlib.Path(folder) / "a.png"
        copy.write_bytes(path.read_bytes())
        run("apngdis", copy)
        return [np.asarray(Image.open(p).convert("RGBA")) for p in sorted(copy.parent.glob("apngframe*.png"))]


def part(seed, w, h, alpha=True):
    return pattern(seed, (w, h), alpha)


KEEP, CLEAR, RESTORE, SOURCE, OVER = 0, 1, 2, 0, 1
apng("blend.png", [(pattern(1), 0, 0, (1, 10), KEEP, SOURCE), (part(2, 9, 7), 3, 2, (0, 0), KEEP, OVER),
                   (part(3, 16, 14), 10, 5, (3, 0), KEEP, SOURCE), (pattern(4), 0, 0, (1, 3), KEEP, OVER),
                   (part(5, 1, 1), 25, 18, (65535, 65535), KEEP, OVER)])
apng("dispose.png", [(pattern(6), 0, 0, (1, 10), KEEP, SOURCE), (part(7, 9, 7), 3, 2, (1, 10), RESTORE, OVER),
                     (part(8, 16, 14), 5, 4, (1, 10), CLEAR, OVER), (part(9, 20, 9), 0, 3, (1, 10), RESTORE, SOURCE),
                     (part(10, 8, 8), 2, 2, (1, 10), CLEAR, SOURCE), (part(11, 22, 15), 1, 1, (1, 10), KEEP, OVER)],
     plays=3, split=True)
apng("default.png", [(pattern(12), 0, 0, (1, 10), CLEAR, SOURCE), (part(13, 9, 7), 3, 2, (1, 10), KEEP, OVER),
                     (part(14, 5, 5), 12, 9, (1, 10), KEEP, OVER)], plays=1, default=pattern(15))
apng("opaque.png", [(pattern(16, alpha=False)[..., :3], 0, 0, (1, 10), KEEP, SOURCE),
                    (part(17, 9, 7, False)[..., :3], 3, 2, (1, 10), RESTORE, OVER),
                    (part(18, 16, 14, False)[..., :3], 10, 5, (1, 10), KEEP, SOURCE)])
with tempfile.TemporaryDirectory() as folder:
    for i in range(4):
        frame = np.zeros((H, W, 4), np.uint8)
        frame[2 + 3 * i:8 + 3 * i, 5 * i:5 * i + 9] = [200 - 40 * i, 60 * i, 90, 255]
        Image.fromarray(frame).save(pathlib.Path(folder) / f"f{i}.png")
    run("apngasm", HERE / "apngasm.png", pathlib.Path(folder) / "f0.png", 2, 25)
expect("apngasm.png", by_apngdis(HERE / "apngasm.png"))


# ---- WebP ------------------------------------------------------------------------------------------------------------
def webp(name, frames, loop=0):
    """Each frame: (array, x, y, milliseconds, dispose to background, blend, options). Put together by webpmux."""
    words = ["webpmux"]
    with tempfile.TemporaryDirectory() as folder:
        for i, (array, left, top, delay, dispose, blend, options) in enumerate(frames):
            png, path = pathlib.Path(folder) / f"{i}.png", pathlib.Path(folder) / f"{i}.webp"
            Image.fromarray(array).save(png)
            run("cwebp", *options, png, "-o", path)
            words += ["-frame", path, f"+{delay}+{left}+{top}+{int(dispose)}{'+b' if blend else '-b'}"]
        run(*words, "-loop", loop, "-o", HERE / name)
    expect(name, by_pillow(HERE / name))


EXACT, LOSSY = ("-lossless", "-exact"), ("-q", 80)
webp("blend.webp", [(pattern(1), 0, 0, 100, False, False, EXACT), (part(2, 9, 7), 4, 2, 0, False, True, EXACT),
                    (part(3, 16, 14), 10, 4, 10, False, False, EXACT), (pattern(4), 0, 0, 11, False, True, LOSSY),
                    (part(5, 1, 1), 24, 18, 40, False, True, EXACT)])
webp("dispose.webp", [(part(6, 20, 17), 2, 2, 100, False, True, EXACT), (part(7, 9, 7), 4, 2, 100, True, True, EXACT),
                      (part(8, 16, 14), 6, 4, 100, True, False, LOSSY), (pattern(9), 0, 0, 100, True, True, EXACT),
                      (part(10, 8, 8), 2, 2, 100, False, True, EXACT)], loop=4)
webp("opaque.webp", [(pattern(16, alpha=False)[..., :3], 0, 0, 100, False, False, EXACT),
                     (part(17, 9, 7, False)[..., :3], 4, 2, 100, False, True, EXACT),
                     (part(18, 16, 14, False)[..., :3], 10, 4, 100, False, False, EXACT)])
run("gif2webp", HERE / "mixed.gif", "-o", HERE / "gif2webp.webp")
expect("gif2webp.webp", by_pillow(HERE / "gif2webp.webp"))
