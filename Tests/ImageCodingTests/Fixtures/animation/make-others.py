#!/usr/bin/env python3
"""Makes the moving pictures of the newer formats, and the frames that they have to decode to.

    python3 make-others.py [FORMAT...]      all of them, or avif jxl

Needs Pillow (with its own libavif, which writes edit lists), numpy, and Debian's libavif-bin, libjxl-tools and
apngdis.
FILE.rgba holds all frames as they are seen, as make.py says.
"""
import pathlib, struct, subprocess, sys, tempfile
import numpy as np
from PIL import Image, ImageSequence

HERE = pathlib.Path(__file__).parent
W, H = 26, 19
y, x = np.mgrid[0:H, 0:W]


def run(*words):
    return subprocess.run([str(w) for w in words], check=True, capture_output=True).stdout


def premultiplied(rgba):
    rgba = np.asarray(rgba, dtype=np.uint32)
    a = rgba[..., 3:4]
    return np.concatenate([(rgba[..., :3] * a + 127) // 255, a], axis=2).astype(np.uint8)


def expect(name, frames):
    (HERE / f"{name}.rgba").write_bytes(b"".join(premultiplied(f).tobytes() for f in frames))


def load(path):
    with Image.open(path) as image:
        return np.asarray(image.convert("RGBA"))


def scene(index, alpha=False):
    """A square that wanders over a slope."""
    color = np.stack([x * 9 % 256, y * 12 % 256, (x + y) * 5 % 256], 2).astype(np.uint8)
    color[3 + 2 * index:9 + 2 * index, 2 + 3 * index:9 + 3 * index] = [220, 40 * index, 30]
    if not alpha:
        return color
    a = np.array([0, 255, 255, 96, 200])[(x // 3 + y // 4 + index) % 5].astype(np.uint8)
    return np.concatenate([color, a[..., None]], 2)


def stored(folder, frames):
    for index, frame in enumerate(frames):
        path = pathlib.Path(folder) / f"in{index}.png"
        Image.fromarray(frame).save(path)
        yield path


# ---- AVIF: avifenc makes, avifdec reads ------------------------------------------------------------------------------
def by_avifdec(path, count):
    with tempfile.TemporaryDirectory() as folder:
        out = pathlib.Path(folder) / "out.png"
        for index in range(count):
            run("avifdec", "-u", "best", "-d", 8, "--index", index, path, out)
            yield load(out)


def avif():
    def make(name, frames, delays, *options):
        with tempfile.TemporaryDirectory() as folder:
            words = ["avifenc", "-j", 1, "-s", 8, "--min", 20, "--max", 24, *options]
            for path, delay in zip(stored(folder, frames), delays, strict=True):
                words += ["--duration", delay, path]
            run(*words, HERE / name)
        expect(name, by_avifdec(HERE / name, len(frames)))

    make("keys.avif", [scene(i) for i in range(7)], [100, 5, 11, 250, 1500, 40, 90], "-y", 444, "-k", 3, "--timescale", 1000)
    make("alpha.avif", [scene(i, True) for i in range(4)], [1, 2, 1, 30], "-y", 444, "--timescale", 30)
    make("twelve.avif", [scene(i) for i in range(3)], [3, 3, 3], "-y", 420, "-d", 12, "--timescale", 30)
    # This avifenc writes no edit list, and the libavif of Pillow one that repeats for ever.
    frames = [Image.fromarray(scene(i)) for i in range(3)]
    frames[0].save(HERE / "edits.avif", save_all=True, append_images=frames[1:], duration=[100, 200, 300], quality=60, speed=8,
                   max_threads=1)
    expect("edits.avif", by_avifdec(HERE / "edits.avif", 3))


# ---- JPEG XL: cjxl makes, djxl and apngdis read ------------------------------------------------------------------------
def by_djxl(path):
    with tempfile.TemporaryDirectory() as folder:
        copy = pathlib.Path(folder) / "a.png"
        run("djxl", path, copy, "--num_threads=0", "--bits_per_sample=8")
        run("apngdis", copy)
        return [load(p) for p in sorted(copy.parent.glob("apngframe*.png"))]


def played(data, count):
    """A codestream that plays for ever, made to play a few times (ISO/IEC 18181-1 annex D): three bits more in the header.

    Where the header ends is found by trying: behind its last byte the first frame begins, on a byte of its own.
    """
    bits = [byte >> i & 1 for byte in data for i in range(8)]
    at = 16
    # The size: not in eighths, 9 bits for the height, no ratio, 9 bits for the width.
    assert bits[at:at + 3] == [0, 0, 0] and bits[at + 12:at + 15] == [0, 0, 0] and bits[at + 15:at + 17] == [0, 0]
    at += 26
    # Not all by default, some extra fields, upright, no intrinsic size, no preview, moving.
    assert bits[at:at + 8] == [0, 1, 0, 0, 0, 0, 0, 1], bits[at:at + 8]
    at += 8
    # 1000 ticks in 1 second, for ever.
    assert bits[at:at + 6] == [1, 0, 0, 0, 0, 0], bits[at:at + 6]
    at += 4
    more = bits[:at] + [1, 0] + [count >> i & 1 for i in range(3)] + bits[at + 2:]
    for end in range(at // 8 + 1, 64):
        for new_end in (end, end + 1):
            head = more[:end * 8 + 3]
            head = head[:new_end * 8] if new_end == end else head + [0] * 5
            if new_end == end and any(more[end * 8:end * 8 + 3]):
                continue
            made = bytes(sum(b << i for i, b in enumerate(head[n:n + 8])) for n in range(0, len(head), 8)) + data[end:]
            with tempfile.TemporaryDirectory() as folder:
                path = pathlib.Path(folder) / "a.jxl"
                path.write_bytes(made)
                try:
                    if len(by_djxl(path)) > 1 and plays(path) == count:
                        return made
                except (subprocess.CalledProcessError, OSError):
                    continue
    raise ValueError("no end of the header was found")


def plays(path):
    with tempfile.TemporaryDirectory() as folder:
        out = pathlib.Path(folder) / "a.png"
        run("djxl", path, out, "--num_threads=0")
        data = out.read_bytes()
        return struct.unpack(">I", data[data.index(b"acTL") + 8:][:4])[0]


def jxl():
    def make(name, source, *options, frames=None):
        run("cjxl", source, HERE / name, "--num_threads=0", *options)
        decoded = by_djxl(HERE / name)
        if frames:
            assert all((premultiplied(a) == premultiplied(b)).all() for a, b in zip(decoded, frames, strict=True)), name
        expect(name, decoded)

    # A frame that is shown for no time is only drawn on.
    make("blend.jxl", HERE / "blend.png", "-d", 0)
    make("opaque.jxl", HERE / "opaque.png", "-d", 0)
    with tempfile.TemporaryDirectory() as folder:
        source = pathlib.Path(folder) / "in.png"
        frames = [Image.fromarray(scene(i)) for i in range(7)]
        frames[0].save(source, save_all=True, append_images=frames[1:], duration=[100, 20, 250, 1500, 40, 90, 60], loop=3)
        make("lossy.jxl", source, "-d", 1)
        make("container.jxl", source, "-d", 2, "--container=1")
        # This cjxl takes no loop count over.
        (HERE / "plays.jxl").write_bytes(played((HERE / "lossy.jxl").read_bytes(), 3))
        decoded = by_djxl(HERE / "plays.jxl")
        assert all((a == b).all() for a, b in zip(decoded, by_djxl(HERE / "lossy.jxl"), strict=True))
        expect("plays.jxl", decoded)
        source = pathlib.Path(folder) / "in.gif"
        frames[0].save(source, save_all=True, append_images=frames[1:4], duration=[100, 20, 250, 1500], loop=2, disposal=1)
        with Image.open(source) as image:
            frames = [np.asarray(frame.convert("RGBA")) for frame in ImageSequence.Iterator(image)]
        make("gif.jxl", source, "-d", 0, frames=frames)


for name in sys.argv[1:] or ["avif", "jxl"]:
    globals()[name]()
