"""Puts both.jpg's EXIF and XMP into text chunks of a PNG, as digits, the way ImageMagick and exiftool did before PNG had
places for them."""
import struct, zlib

plain = open("plain.png", "rb").read()
exif = b"Exif\0\0" + open("both.exif", "rb").read()
xmp = open("both.xmp", "rb").read()


def chunk(kind, content):
    return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))


def digits(name, content):
    text = content.hex()
    lines = "".join(text[i:i + 72] + "\n" for i in range(0, len(text), 72))
    return f"\n{name}\n{len(content):8}\n{lines}".encode()


def write(path, *chunks):
    open(path, "wb").write(plain[:33] + b"".join(chunks) + plain[33:])


write("raw-packed.png", chunk(b"zTXt", b"Raw profile type exif\0\0" + zlib.compress(digits("exif", exif))),
      chunk(b"zTXt", b"Raw profile type xmp\0\0" + zlib.compress(digits("xmp", xmp))))
write("raw-segment.png", chunk(b"tEXt", b"Raw profile type APP1\0" + digits("generic profile", exif)))
# Packed to a thousandth.
bomb = b"\nexif\n 4000000\n" + b"45" * (6 << 20)
write("raw-bomb.png", chunk(b"zTXt", b"Raw profile type exif\0\0" + zlib.compress(bomb, 9)))
