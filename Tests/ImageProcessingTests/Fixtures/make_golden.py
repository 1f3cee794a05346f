"""Makes the golden pixels with Pillow 13.0.0: python3 make_golden.py

Each file holds raw bytes: width and height as little-endian 32-bit numbers, then RGBA pixels with multiplied alpha.
"""
import random
import struct
from PIL import Image

SOURCE = (97, 61)
TARGETS = [(40, 30), (31, 61), (97, 17), (150, 100), (9, 7), (1, 1)]
FILTERS = {"box": Image.Resampling.BOX, "triangle": Image.Resampling.BILINEAR, "lanczos3": Image.Resampling.LANCZOS}


def store(name, image):
    pixels = bytearray(image.tobytes())
    for i in range(0, len(pixels), 4):  # Our result keeps colours at or below alpha; Pillow's may ring above it.
        for channel in range(3):
            pixels[i + channel] = min(pixels[i + channel], pixels[i + 3])
    with open(name + ".rgba", "wb") as file:
        file.write(struct.pack("<II", *image.size) + pixels)


def picture():
    noise = random.Random(7)
    image = Image.new("RGBa", SOURCE)
    for y in range(SOURCE[1]):
        for x in range(SOURCE[0]):
            a = min(255, 60 + 3 * x) if y > 15 else 255
            edge = 255 if (x // 8 + y // 8) % 2 else 30
            color = (x * 255 // SOURCE[0], (edge + noise.randrange(20)) % 256, 255 - y * 4)
            image.putpixel((x, y), tuple((c * a + 127) // 255 for c in color) + (a,))
    return image


def resized(image, size, method):
    # As floats, a channel at a time: in 8 bits Pillow cuts the filter's ringing between its two passes.
    channels = [channel.convert("F").resize(size, method) for channel in image_channels(image)]
    values = [[min(255, max(0, int(v + 0.5))) for v in channel.getdata()] for channel in channels]
    return Image.frombytes("RGBa", size, bytes(v for pixel in zip(*values) for v in pixel))


def image_channels(image):
    return [Image.frombytes("L", image.size, image.tobytes()[channel::4]) for channel in range(4)]


source = picture()
store("source", source)
for name, method in FILTERS.items():
    for width, height in TARGETS:
        store(f"{name}-{width}x{height}", resized(source, (width, height), method))
