"""Makes a picture with gradients, edges and noise, and the JPEG files that cjpeg cannot make."""
import random
import sys

from PIL import Image

WIDTH, HEIGHT = 203, 149
random.seed(7)


def pixel(x, y):
    base = (x * 255 // WIDTH, y * 255 // HEIGHT, 255 - (x + y) * 255 // (WIDTH + HEIGHT))
    if (x - 60) ** 2 + (y - 70) ** 2 < 1600:
        base = (220, 40, 60)
    if (x // 10 + y // 10) % 7 == 0:
        base = tuple(255 - value for value in base)
    noise = random.randint(-12, 12)
    return tuple(min(255, max(0, value + noise)) for value in base)


picture = Image.new("RGB", (WIDTH, HEIGHT))
picture.putdata([pixel(x, y) for y in range(HEIGHT) for x in range(WIDTH)])
picture.save(sys.argv[1])
picture.convert("L").save(sys.argv[2])

# Pillow writes inks as Adobe does, inverted and with Adobe's marker. The expected pixels are Pillow's own.
inks = picture.resize((64, 48)).convert("CMYK")
inks.putdata([(c, m, y, (c + m) // 4) for c, m, y, _ in inks.getdata()])
inks.save("cmyk.jpg", quality=90)
Image.open("cmyk.jpg").convert("RGB").save("cmyk.ppm")
# The same samples named YCCK: the transform byte of Adobe's marker says how they are to be read.
data = bytearray(open("cmyk.jpg", "rb").read())
data[data.index(b"Adobe") + 11] = 2
open("ycck.jpg", "wb").write(data)
Image.open("ycck.jpg").convert("RGB").save("ycck.ppm")
# Without the marker inks count as inverted all the same.
start = data.index(b"\xff\xee")
del data[start : start + 16]
open("cmyk-plain.jpg", "wb").write(data)
Image.open("cmyk-plain.jpg").convert("RGB").save("cmyk-plain.ppm")

Image.new("RGB", (1, 1), (10, 200, 30)).save("one-pixel.jpg", quality=95)
Image.new("RGB", (1, 65500), (10, 200, 30)).save("tall.jpg", quality=50)
