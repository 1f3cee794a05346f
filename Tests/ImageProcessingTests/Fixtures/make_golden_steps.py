"""Makes what other programs make of the pictures in source.rgba and above.rgba: python3 make_golden_steps.py

Made with Pillow 13.0.0, cairo 1.16.0 through pycairo 1.29.2, SciPy 1.17.1, NumPy 2.4.6, blurhash-python 1.2.2 (Wolt's C) and
thumbhash-python 1.0.1. The files are laid out as make_golden.py says; hashes.json holds text.
"""
import base64
import io
import json
import math
import struct

import blurhash
import cairo
import numpy
import PIL.features
from PIL import Image, ImageFilter, ImageOps
from scipy import ndimage
from thumbhash import encode as thumbhash_encode, decode as thumbhash_decode

# In the order of BlendMode's cases.
MODES = ["CLEAR", "SOURCE", "DEST", "OVER", "DEST_OVER", "IN", "DEST_IN", "OUT", "DEST_OUT", "ATOP", "DEST_ATOP", "XOR",
         "ADD", "MULTIPLY", "SCREEN", "OVERLAY", "DARKEN", "LIGHTEN", "COLOR_DODGE", "COLOR_BURN", "HARD_LIGHT",
         "SOFT_LIGHT", "DIFFERENCE", "EXCLUSION", "HSL_HUE", "HSL_SATURATION", "HSL_COLOR", "HSL_LUMINOSITY"]


def load(name):
    data = open(name + ".rgba", "rb").read()
    width, height = struct.unpack("<II", data[:8])
    return numpy.frombuffer(data[8:], numpy.uint8).reshape(height, width, 4)


def store(name, pixels):
    pixels = numpy.asarray(pixels)
    if pixels.dtype != numpy.uint8:
        pixels = numpy.clip(numpy.floor(pixels + 0.5), 0, 255).astype(numpy.uint8)
    pixels = numpy.minimum(pixels, pixels[..., 3:])
    with open(name + ".rgba", "wb") as file:
        file.write(struct.pack("<II", pixels.shape[1], pixels.shape[0]) + pixels.tobytes())


def above():
    """Every colour against every alpha, with hard edges."""
    y, x = numpy.mgrid[0:24, 0:32]
    alpha = numpy.where(y < 6, 255, numpy.minimum(255, x * 9))
    straight = numpy.stack([x * 8, 255 - y * 10, (x * 31 + y * 57) % 256], -1)
    return numpy.concatenate([(straight * alpha[..., None] + 127) // 255, alpha[..., None]], -1).astype(numpy.uint8)


def surface(pixels):
    """cairo wants blue first."""
    data = bytearray(numpy.ascontiguousarray(pixels[..., [2, 1, 0, 3]]).tobytes())
    height, width = pixels.shape[:2]
    return cairo.ImageSurface.create_for_data(data, cairo.FORMAT_ARGB32, width, height), data


def pixels_of(data, shape):
    return numpy.frombuffer(bytes(data), numpy.uint8).reshape(shape)[..., [2, 1, 0, 3]]


def blended(below, over, mode):
    target, data = surface(below)
    context = cairo.Context(target)
    context.set_source_surface(surface(over)[0])
    context.set_operator(getattr(cairo.Operator, mode))
    context.paint()
    target.flush()
    return pixels_of(data, below.shape)


def outline(context, width, height, radii, inset):
    left, top, right, bottom = inset, inset, width - inset, height - inset
    tl, tr, br, bl = [max(0, r - inset) for r in radii]
    context.new_path()
    context.arc(left + tl, top + tl, tl, math.pi, 1.5 * math.pi)
    context.arc(right - tr, top + tr, tr, 1.5 * math.pi, 2 * math.pi)
    context.arc(right - br, bottom - br, br, 0, 0.5 * math.pi)
    context.arc(left + bl, bottom - bl, bl, 0.5 * math.pi, math.pi)
    context.close_path()


def rounded(pixels, radii, border=None):
    """Border: its width, and red, green, blue and alpha from 0 to 1."""
    height, width = pixels.shape[:2]
    target, data = surface(numpy.zeros_like(pixels))
    context = cairo.Context(target)
    context.set_tolerance(0.01)
    context.set_antialias(cairo.Antialias.BEST)
    context.set_source_surface(surface(pixels)[0])
    context.paint()
    if border:
        # All but what lies within the line.
        context.set_fill_rule(cairo.FillRule.EVEN_ODD)
        outline(context, width, height, radii, border[0])
        context.rectangle(0, 0, width, height)
        context.set_source_rgba(*border[1])
        context.fill()
    outline(context, width, height, radii, 0)
    context.set_source_rgba(0, 0, 0, 1)
    context.set_operator(cairo.Operator.DEST_IN)
    context.fill()
    target.flush()
    return pixels_of(data, pixels.shape)


def turned(pixels, degrees, canvas=None):
    height, width = pixels.shape[:2]
    c, s = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
    if canvas is None:
        canvas = (math.ceil(width * abs(c) + height * abs(s)), math.ceil(height * abs(c) + width * abs(s)))
    y, x = numpy.mgrid[0:canvas[1], 0:canvas[0]]
    x, y = x + 0.5 - canvas[0] / 2, y + 0.5 - canvas[1] / 2
    place = [y * c - x * s + height / 2 - 0.5, x * c + y * s + width / 2 - 0.5]
    return numpy.stack([ndimage.map_coordinates(pixels[..., k].astype(float), place, order=1, mode="grid-constant")
                        for k in range(4)], -1)


def gaussian(pixels, sigma):
    return numpy.stack([ndimage.gaussian_filter(pixels[..., k].astype(float), sigma, mode="nearest", truncate=6)
                        for k in range(4)], -1)


def box_in_bytes(pixels, diameter):
    """One pass of a convolution of bytes, as SDWebImage's blur does three of."""
    sums = pixels.astype(float)
    for axis in (0, 1):
        sums = ndimage.uniform_filter1d(sums, diameter, axis=axis, mode="nearest")
    return numpy.floor(sums + 0.5).astype(numpy.uint8)


def pillow(pixels, mode="RGBa"):
    return Image.frombytes(mode, pixels.shape[1::-1], pixels.tobytes())


source = load("source")
opaque = source.copy()
opaque[..., 3] = 255
over = above()
store("above", over)

below = source[10:34, 20:52]
store("blend", numpy.concatenate([blended(below, over, mode) for mode in MODES]))

store("rounded", rounded(source, (20, 7.5, 0, 28)))
store("rounded-border", rounded(source, (20, 7.5, 3, 28), (4.5, (1, 0.4, 0, 0.6))))
square = source[:, 18:79]
store("circle", rounded(square, (30.5,) * 4))

store("turned-30", turned(source, 30))
store("turned-201-clipped", turned(source, 201.5, (97, 61)))

store("gaussian-1.5", gaussian(source, 1.5))
store("gaussian-2.9", gaussian(source, 2.9))
store("gaussian-10", numpy.asarray(pillow(source).filter(ImageFilter.GaussianBlur(10))))
store("box-5", numpy.asarray(pillow(source).filter(ImageFilter.BoxBlur(5))))
thrice = source
for _ in range(3):
    thrice = box_in_bytes(thrice, 47)
store("three-boxes-47", thrice)
store("sharp", source + 1.5 * (source - gaussian(source, 2)))

rgb = pillow(opaque, "RGBX").convert("RGB")
SEPIA = (0.393, 0.769, 0.189, 0, 0.349, 0.686, 0.168, 0, 0.272, 0.534, 0.131, 0)
HALF = [0.2126 / 2, 0.7152 / 2, 0.0722 / 2]
SATURATION = tuple(HALF[k] + (0.5 if k == row else 0) if k < 3 else 0 for row in range(3) for k in range(4))
CONTRAST = tuple(1.6 if k == row else -0.3 * 255 if k == 3 else 0 for row in range(3) for k in range(4))
INVERTED = tuple(-1 if k == row else 255 if k == 3 else 0 for row in range(3) for k in range(4))
for name, matrix in [("sepia", SEPIA), ("saturation", SATURATION), ("contrast", CONTRAST), ("inverted", INVERTED)]:
    store("matrix-" + name, numpy.asarray(rgb.convert("RGB", matrix).convert("RGBA")))

framed = ImageOps.expand(ImageOps.mirror(rgb).crop((5, 3, 60, 50)), (4, 1, 2, 7), (200, 30, 90))
store("framed", numpy.asarray(framed.convert("RGBA")))

straight = numpy.where(source[..., 3:] > 0, source[..., :3] * 255.0 / numpy.maximum(source[..., 3:], 1), 0)
straight = numpy.dstack([numpy.clip(numpy.floor(straight + 0.5), 0, 255), source[..., 3]]).astype(numpy.uint8)
mean = source.reshape(-1, 4).astype(float).mean(0)
levels = opaque[..., :3].reshape(-1, 3).astype(int)
boxes = (levels >> 4) @ [256, 16, 1]
fullest = levels[boxes == numpy.bincount(boxes, minlength=4096).argmax()]
hashes = {
    "average": [round(v) for v in [*(mean[:3] / mean[3] * 255), mean[3]]],
    "dominant": [round(v) for v in fullest.mean(0)],
    "blur": [], "thumb": [],
}
for across, down in [(4, 3), (1, 1), (9, 9), (2, 7)]:
    room = io.BytesIO()
    rgb.save(room, "PNG")
    text = blurhash.encode(room, across, down)
    hashes["blur"].append({"across": across, "down": down, "text": text})
    shown = blurhash.decode(text, 37, 23, punch=1).convert("RGBA")
    store(f"blurhash-{across}x{down}", numpy.asarray(shown))
for name, picture in [("opaque", opaque), ("alpha", straight), ("tall", numpy.ascontiguousarray(straight[:, 30:66]))]:
    height, width = picture.shape[:2]
    image = Image.fromarray(picture, "RGBA")
    code = bytes(thumbhash_encode.rgba_to_thumbhash(width, height, list(picture.tobytes())))
    w, h, shown = thumbhash_decode.thumbhash_to_rgba(code)
    shown = numpy.array(shown, numpy.uint8).reshape(h, w, 4).astype(int)
    shown[..., :3] = (shown[..., :3] * shown[..., 3:] + 127) // 255
    store("thumbhash-" + name, shown.astype(numpy.uint8))
    hashes["thumb"].append({"name": name, "base64": base64.b64encode(code).decode()})
with open("hashes.json", "w") as file:
    json.dump(hashes, file, indent=1)
