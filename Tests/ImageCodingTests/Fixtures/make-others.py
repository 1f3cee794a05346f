#!/usr/bin/env python3
"""Makes the pictures of the newer and the rarer formats, and the pixels they have to decode to.

    python3 make-others.py [FORMAT...]      all of them, or avif heif jxl tiff bmp ico svg pdf raw

Needs Pillow, pillow-heif and numpy, and Debian's libavif-bin, libheif-examples, libjxl-tools, libtiff-tools, imagemagick, icoutils,
librsvg2-bin, poppler-utils and libraw-bin. NAME.rgba holds the expected rows, as other programs decode them: RGBA,
colours multiplied by alpha as (c * a + 127) // 255, without padding.
"""
import pathlib, struct, subprocess, sys, tempfile
import numpy as np
from PIL import Image

HERE = pathlib.Path(__file__).parent
W, H = 48, 32
y, x = np.mgrid[0:H, 0:W]
rgb = np.stack([x * 255 // (W - 1), y * 255 // (H - 1), 255 - (x + y) * 255 // (W + H - 2)], 2).astype(np.uint8)
rgb[8:16, 10:22] = [230, 40, 30]
alpha = (255 - (x * 4 + y * 3) % 256).astype(np.uint8)
alpha[0, :5] = [0, 1, 127, 254, 255]
rgba = np.concatenate([rgb, alpha[..., None]], 2)
gray = rgb[..., 1]


def run(*command):
    subprocess.run([str(c) for c in command], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def premultiplied(rgba):
    rgba = np.asarray(rgba, dtype=np.uint32)
    a = rgba[..., 3:4]
    return np.concatenate([(rgba[..., :3] * a + 127) // 255, a], axis=2).astype(np.uint8)


def opaque(rgb):
    return np.concatenate([rgb, np.full(rgb.shape[:2] + (1,), 255, rgb.dtype)], 2)


def upright(pixels, orientation):
    """A stored picture as it is seen, by EXIF's number."""
    swapped = pixels.transpose(1, 0, 2)
    return [pixels, pixels[:, ::-1], pixels[::-1, ::-1], pixels[::-1], swapped, swapped[:, ::-1],
            swapped[::-1, ::-1], swapped[::-1]][orientation - 1]


def expect(path, pixels):
    (HERE / path).with_suffix(".rgba").write_bytes(premultiplied(pixels).tobytes())


def load(path):
    with Image.open(path) as image:
        return np.asarray(image.convert("RGBA"))


class Folder:
    """A folder for what is not kept, and the fixtures' folder of one format."""

    def __init__(self, name):
        self.kept = HERE / name
        self.kept.mkdir(exist_ok=True)
        for old in self.kept.iterdir():
            old.unlink()
        self.temporary = tempfile.TemporaryDirectory()
        self.scratch = pathlib.Path(self.temporary.name)

    def source(self, pixels, name="in.png"):
        Image.fromarray(pixels).save(self.scratch / name)
        return self.scratch / name


# ---- AVIF: avifenc makes, avifdec reads ------------------------------------------------------------------------------
def avif():
    folder = Folder("avif")

    def make(name, pixels, *options, crop=None, keep=True):
        target = folder.kept / f"{name}.avif"
        run("avifenc", "-j", 1, "-s", 8, "--min", 18, "--max", 22, *options, folder.source(pixels), target)
        if keep:
            run("avifdec", "-u", "best", "-d", 8, target, folder.scratch / "out.png")
            decoded = load(folder.scratch / "out.png")
            if crop:
                left, top, width, height = crop
                decoded = decoded[top:top + height, left:left + width]
            expect(f"avif/{name}", decoded)

    make("opaque", rgb, "-y", 420)
    make("limited", rgb, "-y", 422, "-r", "limited")
    make("alpha", rgba, "-y", 444)
    make("premultiplied", rgba, "-y", 444, "-p")
    make("ten", rgb, "-y", 444, "-d", 10)
    make("twelve-alpha", rgba, "-y", 420, "-d", 12)
    make("gray", np.stack([gray] * 3, 2), "-y", 400)
    make("cropped", rgb, "-y", 420, "--crop", "10,4,20,16", crop=(10, 4, 20, 16))
    make("cropped-turned", rgb, "-y", 444, "--crop", "10,4,20,16", "--irot", 1, crop=(10, 4, 20, 16))
    tile = np.tile(rgb, (2, 2, 1))
    run("avifenc", "-j", 1, "-s", 8, "--min", 30, "--max", 34, "--grid", "2x1", folder.source(tile, "left.png"),
        folder.source(255 - tile, "right.png"), folder.kept / "grid.avif")
    run("avifdec", "-u", "best", "-d", 8, folder.kept / "grid.avif", folder.scratch / "out.png")
    expect("avif/grid", load(folder.scratch / "out.png"))
    # EXIF's orientation from 1 to 8 as the container says it: quarter turns to the left, then a mirror.
    small = rgb[:16, :24]
    turns = [(), ("--imir", 1), ("--irot", 2), ("--imir", 0), ("--irot", 1, "--imir", 0), ("--irot", 3),
             ("--irot", 1, "--imir", 1), ("--irot", 1)]
    for number, options in enumerate(turns, 1):
        make(f"turned-{number}", small, "-y", 444, *options, keep=False)
        with Image.open(folder.kept / f"turned-{number}.avif") as image:
            assert image.getexif().get(274, 1) == number, number
    frames = [folder.source(np.roll(rgb, 8 * i, 1), f"{i}.png") for i in range(3)]
    run("avifenc", "-j", 1, "-s", 8, "--min", 30, "--max", 34, "-y", 444, *frames, folder.kept / "sequence.avif")
    run("avifdec", "-u", "best", "-d", 8, "--index", 0, folder.kept / "sequence.avif", folder.scratch / "out.png")
    expect("avif/sequence", load(folder.scratch / "out.png"))


# ---- HEIF: heif-enc makes, heif-convert reads -------------------------------------------------------------------------
def heif():
    folder = Folder("heif")

    def make(name, pixels, *options, keep=True):
        target = folder.kept / f"{name}.heic"
        run("heif-enc", "-q", 92, *options, folder.source(pixels), "-o", target)
        if keep:
            run("heif-convert", target, folder.scratch / "out.png")
            expect(f"heif/{name}", load(folder.scratch / "out.png"))

    make("opaque", rgb)
    make("alpha", rgba)
    make("gray", gray)
    make("lossless", rgb, "-L", "-p", "chroma=444", "--matrix_coefficients=0")
    make("thumbnail", np.kron(rgb, np.ones((4, 4, 1), np.uint8)), "-t", 48)
    deep = folder.scratch / "deep.png"
    run("convert", folder.source(rgb), "-depth", 16, f"PNG48:{deep}")
    run("heif-enc", "-q", 95, "-b", 10, deep, "-o", folder.kept / "ten.heic")
    run("heif-convert", folder.kept / "ten.heic", folder.scratch / "out.png")
    run("convert", folder.scratch / "out.png", "-depth", 8, folder.scratch / "out8.png")
    expect("heif/ten", load(folder.scratch / "out8.png"))
    # heif-enc knows no turns. Another libheif writes them into the container's boxes and decodes the same.
    import pillow_heif
    pillow_heif.register_heif_opener()
    for number in range(1, 9):
        exif = Image.Exif()
        exif[274] = number
        target = folder.kept / f"turned-{number}.heic"
        Image.fromarray(rgb).save(target, quality=60, exif=exif.tobytes())
        run("heif-convert", target, folder.scratch / "out.png")
        decoded = load(folder.scratch / "out.png")
        assert np.abs(decoded.astype(int) - load(target)).mean() < 2, number
        assert np.abs(decoded.astype(int) - opaque(upright(rgb, number))).mean() < 6, number
        expect(f"heif/turned-{number}", decoded)


# ---- JPEG XL: cjxl makes, djxl reads ----------------------------------------------------------------------------------
def jxl():
    folder = Folder("jxl")

    def make(name, source, *options):
        target = folder.kept / f"{name}.jxl"
        run("cjxl", source, target, "--num_threads=0", *options)
        run("djxl", target, folder.scratch / "out.png", "--num_threads=0", "--bits_per_sample=8")
        expect(f"jxl/{name}", load(folder.scratch / "out.png"))

    make("lossy", folder.source(rgb), "-d", 1)
    make("lossy-alpha", folder.source(rgba), "-d", 1)
    make("lossless", folder.source(rgba), "-d", 0)
    make("gray", folder.source(gray), "-d", 0)
    make("progressive", folder.source(np.kron(rgb, np.ones((3, 3, 1), np.uint8))), "-d", 2, "-p")
    make("container", folder.source(rgb), "-d", 2, "--container=1")
    Image.fromarray(rgb).save(folder.scratch / "in.jpg", quality=85)
    make("jpeg", folder.scratch / "in.jpg", "--lossless_jpeg=1")
    run("convert", folder.source(rgb), "-depth", 16, "-evaluate", "multiply", 0.97, "-define", "png:exclude-chunk=gAMA,cHRM", f"PNG48:{folder.scratch}/deep.png")
    make("sixteen", folder.scratch / "deep.png", "-d", 0)
    frames = [Image.fromarray(np.roll(rgb, 8 * i, 1)) for i in range(3)]
    frames[0].save(folder.scratch / "moving.png", save_all=True, append_images=frames[1:], duration=100, loop=0)
    run("cjxl", folder.scratch / "moving.png", folder.kept / "moving.jxl", "-d", 0)
    expect("jxl/moving", opaque(rgb))
    for number in range(1, 9):
        exif = Image.Exif()
        exif[274] = number
        Image.fromarray(rgb[:16, :24]).save(folder.scratch / "in.jpg", quality=85, exif=exif)
        run("cjxl", folder.scratch / "in.jpg", folder.kept / f"turned-{number}.jxl", "--lossless_jpeg=0", "-d", 3)


FORMATS = [avif, heif, jxl]

if __name__ == "__main__":
    for make in FORMATS:
        if len(sys.argv) < 2 or make.__name__ in sys.argv[1:]:
            make()
