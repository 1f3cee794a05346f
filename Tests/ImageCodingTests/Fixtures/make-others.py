#!/usr/bin/env python3
"""Makes the pictures of the newer and the rarer formats, and the pixels they have to decode to.

    python3 make-others.py [FORMAT...]      all of them, or avif heif jxl tiff bmp ico svg pdf raw orientation depth

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


def placed(page, width=W, height=H):
    """A page in the middle of an empty canvas."""
    canvas = np.zeros((height, width, 4), np.uint8)
    left, top = (width - page.shape[1]) // 2, (height - page.shape[0]) // 2
    canvas[top:top + page.shape[0], left:left + page.shape[1]] = page
    return canvas


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
    import pillow_heif
    pillow_heif.register_heif_opener()
    # Several pictures in one file, the second of them the primary one.
    several = [Image.fromarray(np.ascontiguousarray(p)) for p in (rgb[:20, :24], rgb, np.tile(rgb, (2, 2, 1)), rgba[:32, :40])]
    several[0].save(folder.kept / "several.heic", save_all=True, append_images=several[1:], quality=60, primary_index=1)
    run("heif-convert", folder.kept / "several.heic", folder.scratch / "several.png")
    shown = [load(folder.scratch / f"several-{number}.png") for number in (2, 1, 3, 4)]
    shown[2] = np.asarray(Image.fromarray(shown[2]).reduce(2))
    (folder.kept / "several.rgba").write_bytes(b"".join(premultiplied(placed(p)).tobytes() for p in shown))


# ---- JPEG XL: cjxl makes, djxl reads ----------------------------------------------------------------------------------
def jxl():
    folder = Folder("jxl")

    def make(name, source, *options):
        target = folder.kept / f"{name}.jxl"
        run("cjxl", source, target, "--num_threads=0", *options)
        if name != "sixteen":
            run("djxl", target, folder.scratch / "out.png", "--num_threads=0", "--bits_per_sample=8")
            return expect(f"jxl/{name}", load(folder.scratch / "out.png"))
        # Asked for 8 bits of 16, this djxl takes the wrong ones.
        run("djxl", target, folder.scratch / "out.ppm", "--num_threads=0")
        deep = np.frombuffer((folder.scratch / "out.ppm").read_bytes()[-W * H * 6:], ">u2").reshape(H, W, 3)
        expect(f"jxl/{name}", opaque(np.round(deep / 257.0).astype(np.uint8)))

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


# ---- TIFF: ImageMagick makes, Pillow or ImageMagick reads -------------------------------------------------------------
def tiff():
    folder = Folder("tiff")

    def make(name, pixels, *options, expected=None):
        target = folder.kept / f"{name}.tiff"
        run("convert", folder.source(pixels), "-strip", "-define", "png:exclude-chunk=gAMA", *options, target)
        if expected is None:
            run("convert", target, f"PNG32:{folder.scratch}/out.png")
            expected = load(folder.scratch / "out.png")
        expect(f"tiff/{name}", expected)

    make("rgb-none", rgb, "-compress", "none", expected=opaque(rgb))
    make("rgb-lzw", rgb, "-compress", "lzw", expected=opaque(rgb))
    make("rgb-deflate", rgb, "-compress", "zip", expected=opaque(rgb))
    make("rgba-deflate", rgba, "-compress", "zip", expected=rgba)
    make("rgb-packbits", rgb, "-compress", "rle", expected=opaque(rgb))
    make("rgb-jpeg", rgb, "-compress", "jpeg", "-quality", 90)
    make("gray", gray, "-compress", "lzw", expected=opaque(np.stack([gray] * 3, 2)))
    # A negative: the same file with its samples and the meaning of zero turned round.
    Image.fromarray(255 - gray).save(folder.scratch / "negative.tiff")
    run("tiffcp", "-c", "none", folder.scratch / "negative.tiff", folder.kept / "gray-inverted.tiff")
    run("tiffset", "-s", 262, 0, folder.kept / "gray-inverted.tiff")
    expect("tiff/gray-inverted", opaque(np.stack([gray] * 3, 2)))
    make("rgb-big-endian", rgb, "-compress", "none", "-define", "tiff:endian=msb", expected=opaque(rgb))
    make("rgb-sixteen", rgb, "-compress", "zip", "-depth", 16, expected=opaque(rgb))
    make("rgb-tiles", rgb, "-compress", "zip", "-define", "tiff:tile-geometry=16x16", expected=opaque(rgb))
    make("rgb-planes", rgb, "-compress", "zip", "-interlace", "plane", expected=opaque(rgb))
    Image.fromarray(gray.astype(np.float32) / 255).save(folder.kept / "gray-float.tiff")
    expect("tiff/gray-float", opaque(np.stack([gray] * 3, 2)))
    palette = Image.fromarray(rgb).quantize(16)
    palette.save(folder.kept / "palette.tiff", compression="tiff_lzw")
    expect("tiff/palette", np.asarray(palette.convert("RGBA")))
    bits = Image.fromarray(gray).convert("1")
    bits.save(folder.kept / "bits-fax.tiff", compression="group4")
    expect("tiff/bits-fax", np.asarray(bits.convert("RGBA")))
    pages = [Image.fromarray(np.roll(rgb, 8 * i, 1)) for i in range(3)]
    pages[0].save(folder.kept / "pages.tiff", save_all=True, append_images=pages[1:], compression="tiff_deflate")
    expect("tiff/pages", opaque(rgb))
    # Pages of other sizes, one of them turned, with a small copy of the first one and a mask between them.
    several = [rgb, rgb[::2, ::2], rgba[:20, :30], gray[::2, ::2], np.kron(gray, np.ones((2, 2), np.uint8))[:40]]
    several = [Image.fromarray(np.ascontiguousarray(p)) for p in several]
    mixed = folder.kept / "mixed-pages.tiff"
    several[0].save(mixed, save_all=True, append_images=several[1:], compression="tiff_deflate")
    for number, tag, value in ((1, 254, 1), (3, 254, 4), (2, 274, 6)):
        run("tiffset", "-d", number, "-s", tag, value, mixed)
    shown = []
    for number in (0, 2, 4):
        run("convert", "-auto-orient", f"{mixed}[{number}]", f"PNG32:{folder.scratch}/out.png")
        page = load(folder.scratch / "out.png")
        shown.append(placed(np.asarray(Image.fromarray(page).reduce(2)) if number == 4 else page))
    (folder.kept / "mixed-pages.rgba").write_bytes(b"".join(premultiplied(p).tobytes() for p in shown))
    cmyk = Image.fromarray(rgb).convert("CMYK")
    cmyk.save(folder.kept / "cmyk.tiff", compression="tiff_lzw")
    inks = 255 - np.asarray(cmyk).astype(np.uint32)
    expect("tiff/cmyk", opaque(((inks[..., :3] * inks[..., 3:] + 127) // 255).astype(np.uint8)))


# ---- BMP: ImageMagick and Pillow make, and by hand what they cannot ---------------------------------------------------
def dib(header, width, height, bits, kind=0, used=0, more=b""):
    return struct.pack("<IiiHHIIiiII", header, width, height, 1, bits, kind, 0, 2835, 2835, used, 0) + more


def bmp_file(header, palette, pixels):
    start = 14 + len(header) + len(palette)
    return b"BM" + struct.pack("<IHHI", start + len(pixels), 0, 0, start) + header + palette + pixels


def bmp():
    folder = Folder("bmp")

    def keep(name, data, pixels):
        (folder.kept / f"{name}.bmp").write_bytes(data)
        expect(f"bmp/{name}", pixels)

    def make(name, *options, pixels=None):
        target = folder.kept / f"{name}.bmp"
        run("convert", folder.source(rgb), *options, target if ":" not in options[-1] else options[-1])
        expect(f"bmp/{name}", pixels if pixels is not None else load(target))

    Image.fromarray(rgb).save(folder.kept / "rgb24.bmp")
    expect("bmp/rgb24", opaque(rgb))
    palette = Image.fromarray(rgb).quantize(200)
    palette.save(folder.kept / "palette8.bmp")
    indices, colors = np.asarray(palette), palette.getpalette("RGB")
    expect("bmp/palette8", np.asarray(palette.convert("RGBA")))
    Image.fromarray(gray).convert("1").save(folder.kept / "bits1.bmp")
    expect("bmp/bits1", np.asarray(Image.fromarray(gray).convert("1").convert("RGBA")))
    for name, options in (("version2", "BMP2"), ("version3", "BMP3"), ("version4", "BMP")):
        run("convert", folder.source(rgb), f"{options}:{folder.kept}/{name}.bmp")
        expect(f"bmp/{name}", opaque(rgb))
    run("convert", folder.source(rgba), f"BMP:{folder.kept}/alpha.bmp")
    expect("bmp/alpha", rgba)
    bgrx = np.concatenate([rgb[..., ::-1], np.zeros((H, W, 1), np.uint8)], 2)
    keep("top-down", bmp_file(dib(40, W, -H, 32), b"", bgrx.tobytes()), opaque(rgb))
    packed = (rgb[..., 0].astype(np.uint16) >> 3 << 11) | (rgb[..., 1].astype(np.uint16) >> 2 << 5) | (rgb[..., 2] >> 3)
    masks = struct.pack("<III", 0xF800, 0x07E0, 0x001F)
    seen = np.stack([((packed >> 11) * 255 + 15) // 31, ((packed >> 5 & 63) * 255 + 31) // 63,
                     ((packed & 31) * 255 + 15) // 31], 2).astype(np.uint8)
    keep("masks565", bmp_file(dib(40, W, H, 16, 3) + masks, b"", packed[::-1].astype("<u2").tobytes()), opaque(seen))
    table = b"".join(bytes([colors[i * 3 + 2], colors[i * 3 + 1], colors[i * 3], 0]) for i in range(len(colors) // 3))
    count = len(colors) // 3
    runs = b""
    for row in indices[::-1]:
        position = 0
        while position < W:
            end = position + 1
            while end < W and row[end] == row[position]:
                end += 1
            if end - position == 1 and W - position >= 5:
                runs += bytes([0, 5]) + bytes(row[position:position + 5]) + b"\0"
                position += 5
            else:
                runs += bytes([end - position, row[position]])
                position = end
        runs += b"\0\0"
    keep("runs8", bmp_file(dib(40, W, H, 8, 1, count), table, runs + b"\0\1"), np.asarray(palette.convert("RGBA")))
    few = Image.fromarray(rgb).quantize(16)
    nibbles, colors = np.asarray(few), few.getpalette("RGB")
    table = b"".join(bytes([colors[i * 3 + 2], colors[i * 3 + 1], colors[i * 3], 0]) for i in range(len(colors) // 3))
    pairs = [bytes(row[i] << 4 | row[i + 1] for i in range(0, W, 2)) for row in nibbles[::-1]]
    keep("nibbles", bmp_file(dib(40, W, H, 4, 0, len(colors) // 3), table, b"".join(pairs)),
         np.asarray(few.convert("RGBA")))
    runs = b"".join(b"".join(bytes([2, b]) for b in row) + b"\0\0" for row in pairs)
    keep("runs4", bmp_file(dib(40, W, H, 4, 2, len(colors) // 3), table, runs + b"\0\1"),
         np.asarray(few.convert("RGBA")))
    # Other programs agree.
    for path in folder.kept.glob("*.bmp"):
        if path.stem not in ("alpha", "masks565", "runs4"):
            assert (load(path) == np.frombuffer(path.with_suffix(".rgba").read_bytes(), np.uint8)
                    .reshape(H, W, 4)).all(), path


# ---- ICO and CUR: icotool and Pillow make -----------------------------------------------------------------------------
def ico():
    folder = Folder("ico")
    square = rgba[:32, :32].copy()
    square[..., 3] = np.where(square[..., 3] > 127, 255, 0)
    square[square[..., 3] == 0] = 0
    small = square[::2, ::2]
    big, little = folder.source(square, "big.png"), folder.source(small, "little.png")
    run("icotool", "-c", "-o", folder.kept / "sizes.ico", big, little)
    expect("ico/sizes", square)
    expect("ico/sizes-small", small)
    run("icotool", "-c", "-o", folder.kept / "png.ico", "-r", big, little)
    expect("ico/png", square)
    flat = Image.fromarray(square[..., :3]).quantize(15)
    Image.fromarray(square).save(folder.scratch / "flat.png")
    run("icotool", "-c", "-b", 24, "-t", 0, "-o", folder.kept / "mask24.ico", big)
    expect("ico/mask24", square)
    run("icotool", "-c", "--cursor", "-X", 3, "-Y", 4, "-o", folder.kept / "cursor.cur", big)
    expect("ico/cursor", square)
    # Half-transparent colours, which the ones above do not have.
    Image.fromarray(rgba[:32, :32]).save(folder.kept / "soft.ico", sizes=[(32, 32)], bitmap_format="bmp")
    expect("ico/soft", rgba[:32, :32])
    assert (premultiplied(rgba[:32, :32]) != rgba[:32, :32]).any()


# ---- SVG and PDF: rsvg-convert and pdftocairo draw --------------------------------------------------------------------
DRAWING = """<svg xmlns="http://www.w3.org/2000/svg" width="40" height="30" viewBox="0 0 40 30">
<rect width="40" height="15" fill="#3060c0"/><circle cx="20" cy="15" r="9" fill="#e0a020" fill-opacity=".7"/>
<path d="M2 28 L20 18 L38 28 Z" fill="none" stroke="#104010" stroke-width="2"/></svg>
"""


def svg():
    folder = Folder("svg")
    (folder.kept / "drawing.svg").write_text(DRAWING)
    (folder.kept / "percent.svg").write_text(DRAWING.replace('width="40" height="30" v', 'width="100%" v'))
    for name, options in (("drawing", ()), ("drawing-160", ("-w", 160, "-h", 120))):
        run("rsvg-convert", *options, folder.kept / "drawing.svg", "-o", folder.scratch / "out.png")
        expect(f"svg/{name}", load(folder.scratch / "out.png"))
    (folder.kept / "outside.svg").write_text(
        '<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="8" height="8">'
        '<image xlink:href="file:///etc/hostname" width="8" height="8"/>'
        '<image xlink:href="http://127.0.0.1:9/a.png" width="8" height="8"/>'
        '<image xlink:href="drawing.svg" width="8" height="8"/></svg>')
    entities = "".join(f'<!ENTITY e{i} "{f"&e{i - 1};" * 10}">' for i in range(1, 10))
    (folder.kept / "entities.svg").write_text(
        f'<!DOCTYPE svg [<!ENTITY e0 "xxxxxxxxxx">{entities}]>'
        '<svg xmlns="http://www.w3.org/2000/svg" width="8" height="8"><text>&e9;</text></svg>')
    uses = "".join(f'<g id="g{i}">{f"<use xlink:href=&quot;#g{i - 1}&quot;/>".replace("&quot;", chr(34)) * 10}</g>'
                   for i in range(1, 10))
    (folder.kept / "uses.svg").write_text(
        '<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="8" height="8"><defs>'
        f'<g id="g0"><rect width="1" height="1"/></g>{uses}</defs><use xlink:href="#g9"/></svg>')


def pdf():
    folder = Folder("pdf")
    (folder.scratch / "in.svg").write_text(DRAWING)
    other = folder.scratch / "other.svg"
    other.write_text(DRAWING.replace("#3060c0", "#c03060"))
    run("rsvg-convert", "-f", "pdf", folder.scratch / "in.svg", other, "-o", folder.kept / "drawing.pdf")
    run("pdftocairo", "-png", "-r", 72, "-f", 1, "-l", 1, "-singlefile", folder.kept / "drawing.pdf",
        folder.scratch / "out")
    expect("pdf/drawing", load(folder.scratch / "out.png"))
    run("pdftocairo", "-png", "-scale-to-x", 120, "-scale-to-y", 90, "-singlefile", folder.kept / "drawing.pdf",
        folder.scratch / "out")
    expect("pdf/drawing-120", load(folder.scratch / "out.png"))
    # Pages of other sizes: one that does not fit onto the first, one that leaves some of it free.
    pages = [("40pt", "30pt", "#3060c0"), ("40pt", "60pt", "#c03060"), ("20pt", "10pt", "#30c060")]
    paths = []
    for number, (width, height, color) in enumerate(pages):
        paths.append(folder.scratch / f"page{number}.svg")
        sized = DRAWING.replace('width="40" height="30" v', f'width="{width}" height="{height}" v', 1)
        paths[-1].write_text(sized.replace("#3060c0", color))
    run("rsvg-convert", "-f", "pdf", *paths, "-o", folder.kept / "sizes.pdf")
    for name, sizes in (("sizes", [(40, 30), (20, 30), (20, 10)]), ("sizes-80", [(80, 60), (40, 60), (40, 20)])):
        shown = []
        for number, (width, height) in enumerate(sizes, 1):
            run("pdftocairo", "-png", "-scale-to-x", width, "-scale-to-y", height, "-f", number, "-l", number, "-singlefile",
                folder.kept / "sizes.pdf", folder.scratch / "out")
            shown.append(placed(load(folder.scratch / "out.png"), *sizes[0]))
        (folder.kept / f"{name}.rgba").write_bytes(b"".join(premultiplied(p).tobytes() for p in shown))


# ---- RAW: a DNG by hand, developed by dcraw_emu -----------------------------------------------------------------------
def directory(entries, start):
    """A TIFF directory at `start`: its bytes, with long values behind it."""
    out, behind = struct.pack("<H", len(entries)), b""
    data = start + 2 + len(entries) * 12 + 4
    for tag, kind, values in sorted(entries):
        size = {1: "B", 2: "B", 3: "H", 4: "I", 5: "I", 10: "i"}[kind]
        payload = struct.pack("<" + size * len(values), *values)
        count = len(values) // (2 if kind in (5, 10) else 1)
        if len(payload) > 4:
            out += struct.pack("<HHII", tag, kind, count, data + len(behind))
            behind += payload + b"\0" * (len(payload) % 2)
        else:
            out += struct.pack("<HHI", tag, kind, count) + payload.ljust(4, b"\0")
    return out + struct.pack("<I", 0) + behind


def dng(target, seen, preview, orientation):
    """A sensor of two points for each pixel of `seen`, with a preview of the same size as `seen`."""
    height, width = seen.shape[:2]
    sensor = np.zeros((2 * height, 2 * width), np.uint16)
    scene = np.kron(seen, np.ones((2, 2, 1), np.uint8)).astype(np.uint16) * 15
    for (dy, dx), channel in {(0, 0): 0, (0, 1): 1, (1, 0): 1, (1, 1): 2}.items():
        sensor[dy::2, dx::2] = scene[dy::2, dx::2, channel]
    matrix = [v for f in (3.2406, -1.5372, -0.4986, -0.9689, 1.8758, 0.0415, 0.0557, -0.2040, 1.0570)
              for v in (round(f * 10000), 10000)]
    pixels_at, preview_at = 2048, 2048 + sensor.nbytes
    first = [
        (254, 4, [1]), (256, 4, [width]), (257, 4, [height]), (258, 3, [8, 8, 8]), (259, 3, [7]), (262, 3, [6]),
        (271, 2, list(b"Made\0")), (272, 2, list(b"By hand\0")), (273, 4, [preview_at]),
        (274, 3, [orientation]), (277, 3, [3]), (278, 4, [height]), (279, 4, [len(preview)]), (330, 4, [1024]),
        (50706, 1, [1, 4, 0, 0]), (50707, 1, [1, 1, 0, 0]), (50708, 2, list(b"By hand\0")),
        (50721, 10, matrix), (50728, 5, [1, 1, 1, 1, 1, 1]), (50778, 3, [21])]
    second = [
        (254, 4, [0]), (256, 4, [2 * width]), (257, 4, [2 * height]), (258, 3, [16]), (259, 3, [1]), (262, 3, [32803]),
        (273, 4, [pixels_at]), (277, 3, [1]), (278, 4, [2 * height]), (279, 4, [sensor.nbytes]), (284, 3, [1]),
        (33421, 3, [2, 2]), (33422, 1, [0, 1, 1, 2]), (50714, 3, [0]), (50717, 3, [3825])]
    file = (b"II*\0" + struct.pack("<I", 8) + directory(first, 8)).ljust(1024, b"\0")
    file = (file + directory(second, 1024)).ljust(pixels_at, b"\0") + sensor.tobytes() + preview
    target.write_bytes(file)
    return target


def jpeg(folder, pixels, **options):
    path = folder.scratch / "in.jpg"
    Image.fromarray(pixels).save(path, **options)
    return path


def raw():
    folder = Folder("raw")
    preview = jpeg(folder, rgb, quality=80).read_bytes()
    made = dng(folder.kept / "upright.dng", rgb, preview, 1)
    dng(folder.kept / "turned.dng", rgb, preview, 6)
    scratch = folder.scratch / "in.dng"
    scratch.write_bytes(made.read_bytes())
    run("dcraw_emu", "-w", "-t", 0, "-o", 1, scratch)
    expect("raw/upright", load(folder.scratch / "in.dng.ppm"))
    run("dcraw_emu", "-w", "-t", 0, "-o", 1, "-h", scratch)
    expect("raw/upright-half", load(folder.scratch / "in.dng.ppm"))


# ---- One picture, stored in each of the eight orientations ------------------------------------------------------------
def orientation():
    import pillow_heif
    pillow_heif.register_heif_opener()
    folder = Folder("orientation")
    seen = rgb[2:18, 4:28]
    expect("orientation/upright", opaque(seen))
    # EXIF's numbers as AVIF's container says them: quarter turns to the left, then a mirror.
    turns = [(), ("--imir", 1), ("--irot", 2), ("--imir", 0), ("--irot", 1, "--imir", 0), ("--irot", 3),
             ("--irot", 1, "--imir", 1), ("--irot", 1)]
    # What has to be done to a picture so that the orientation undoes it.
    inverse = [1, 2, 3, 4, 5, 8, 7, 6]
    for number in range(1, 9):
        stored = np.ascontiguousarray(upright(seen, inverse[number - 1]))
        assert (upright(stored, number) == seen).all()
        exif = Image.Exif()
        exif[274] = number
        source, image = folder.source(stored), Image.fromarray(stored)
        image.save(folder.kept / f"{number}.jpg", quality=95, subsampling=0, exif=exif)
        image.save(folder.kept / f"{number}.png", exif=exif)
        image.save(folder.kept / f"{number}.webp", lossless=True, exif=exif)
        image.save(folder.kept / f"{number}.tiff", compression="tiff_deflate", tiffinfo={274: number})
        run("avifenc", "-j", 1, "-s", 6, "-y", 444, "--min", 4, "--max", 8, *turns[number - 1], source,
            folder.kept / f"{number}.avif")
        # heif-enc knows no turns. Another libheif writes them into the container's boxes.
        image.save(folder.kept / f"{number}.heic", quality=90, chroma=444, exif=exif.tobytes())
        run("cjxl", jpeg(folder, stored, quality=97, subsampling=0, exif=exif), folder.kept / f"{number}.jxl",
            "--lossless_jpeg=0", "-d", 0.5, "--container=0")
        dng(folder.kept / f"{number}.dng", stored, jpeg(folder, stored, quality=80).read_bytes(), number)
        for ending in ("jpg", "png", "webp", "tiff", "avif", "heic"):
            from PIL import ImageOps
            with Image.open(folder.kept / f"{number}.{ending}") as read:
                shown = np.asarray(ImageOps.exif_transpose(read).convert("RGB")).astype(int)
            assert np.abs(shown - seen).mean() < 6, (number, ending)
        run("djxl", folder.kept / f"{number}.jxl", folder.scratch / "out.png")
        assert np.abs(load(folder.scratch / "out.png")[..., :3].astype(int) - seen).mean() < 4, number
    for number in range(1, 9):
        scratch = folder.scratch / "in.dng"
        scratch.write_bytes((folder.kept / f"{number}.dng").read_bytes())
        run("dcraw_emu", "-w", "-o", 1, scratch)
        developed = load(folder.scratch / "in.dng.ppm")
        if number == 1:
            first = developed
            expect("orientation/developed", first)
        # The sensor's colours lie on other points after a turn.
        assert np.abs(developed.astype(int) - first).mean() < 8, number


# ---- More than eight bits ---------------------------------------------------------------------------------------------
def depth():
    folder = Folder("depth")
    height, width = 8, 16
    rows, columns = np.mgrid[0:height, 0:width]
    deep = np.stack([columns * 4369 - rows * 17 + 200, rows * 9362 + columns * 3, 65535 - columns * 2048 - rows * 1001,
                     65535 - (rows * 16 + columns) * 257], 2).clip(0, 65535).astype(np.uint16)

    def pam(pixels, name="in.pam"):
        kind = "RGB_ALPHA" if pixels.shape[2] == 4 else "RGB"
        path = folder.scratch / name
        path.write_bytes(f"P7\nWIDTH {width}\nHEIGHT {height}\nDEPTH {pixels.shape[2]}\nMAXVAL 65535\n"
                         f"TUPLTYPE {kind}\nENDHDR\n".encode() + pixels.astype(">u2").tobytes())
        return path

    def png(pixels):
        run("convert", pam(pixels), "-define", "png:exclude-chunk=gAMA,cHRM,date",
            f"PNG{'64' if pixels.shape[2] == 4 else '48'}:{folder.scratch}/in.png")
        return folder.scratch / "in.png"

    def read(path):
        """Sixteen bits of straight RGBA, as ImageMagick reads a file."""
        run("convert", path, "-depth", 16, f"RGBA:{folder.scratch}/out.raw")
        return np.frombuffer((folder.scratch / "out.raw").read_bytes(), "<u2").reshape(height, width, 4)

    def keep(name, pixels):
        pixels = pixels.astype(np.uint64)
        a = pixels[..., 3:4]
        whole = np.concatenate([(pixels[..., :3] * a + 32767) // 65535, a], 2)
        (folder.kept / f"{name}.rgba16").write_bytes(whole.astype("<u2").tobytes())

    keep("straight", deep)
    keep("opaque", np.concatenate([deep[..., :3], np.full((height, width, 1), 65535)], 2))
    (folder.kept / "straight.png").write_bytes(png(deep).read_bytes())
    run("convert", png(deep), "-compress", "zip", "-depth", 16, folder.kept / "straight.tiff")
    run("convert", png(deep), "-compress", "zip", "-depth", 16, "-define", "tiff:alpha=associated",
        folder.kept / "associated.tiff")
    run("convert", png(deep[..., :3]), "-compress", "zip", "-depth", 32, "-define", "quantum:format=floating-point",
        folder.kept / "float.tiff")
    run("convert", png(deep[..., :3]), "-compress", "zip", "-depth", 16, "-define", "quantum:format=floating-point",
        folder.kept / "half.tiff")
    run("convert", png(deep[..., :3]), "-compress", "zip", "-depth", 32, "-define", "quantum:format=unsigned",
        folder.kept / "whole32.tiff")
    run("cjxl", png(deep), folder.kept / "straight.jxl", "-d", 0, "--num_threads=0")
    for bits in (10, 12):
        target = folder.kept / f"bits{bits}.avif"
        run("avifenc", "-j", 1, "-s", 8, "-y", 444, "-d", bits, "--min", 0, "--max", 4, png(deep), target)
        run("avifdec", "-u", "best", "-d", 16, target, folder.scratch / "out.png")
        keep(f"avif{bits}", read(folder.scratch / "out.png"))
        target = folder.kept / f"bits{bits}.heic"
        run("heif-enc", "-q", 95, "-b", bits, "-p", "chroma=444", png(deep[..., :3]), "-o", target)
        run("heif-convert", target, folder.scratch / "out.png")
        keep(f"heic{bits}", read(folder.scratch / "out.png"))
    for path in folder.kept.glob("straight.*"):
        if path.suffix in (".png", ".tiff"):
            assert (read(path) == deep).all(), path


FORMATS = [avif, heif, jxl, tiff, bmp, ico, svg, pdf, raw, orientation, depth]

if __name__ == "__main__":
    for make in FORMATS:
        if len(sys.argv) < 2 or make.__name__ in sys.argv[1:]:
            make()
