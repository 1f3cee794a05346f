"""Makes the pictures that make.sh writes metadata into, and those with a gain map."""
from PIL import Image, PngImagePlugin


def picture(width, height, turn=0):
    return Image.frombytes("RGB", (width, height), bytes(
        value for y in range(height) for x in range(width)
        for value in (x * 255 // max(1, width - 1), y * 255 // max(1, height - 1), (x + y + turn) * 7 % 256)))


plain = picture(20, 12)
plain.save("plain.jpg", quality=90)
plain.save("plain.png")
plain.save("plain.webp", lossless=True)
texts = PngImagePlugin.PngInfo()
texts.add_itxt("XML:com.adobe.xmp", "<x>" + "A title that is packed. " * 40 + "</x>", zip=True)
plain.save("packed-xmp.png", pnginfo=texts)

# A photograph of 640 × 480 and a thumbnail that can be told from it: it is red.
picture(640, 480).save("large.jpg", quality=60)
Image.new("RGB", (160, 120), (250, 10, 20)).save("small.jpg", quality=90)
# A thumbnail of another shape than the picture's, as some cameras write it.
picture(640, 400).save("letterbox.jpg", quality=50)
Image.new("RGB", (160, 120), (250, 10, 20)).save("square.jpg", quality=90)

ADOBE = """<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
<rdf:Description xmlns:hdrgm="http://ns.adobe.com/hdr-gain-map/1.0/" hdrgm:Version="1.0"/></rdf:RDF></x:xmpmeta>"""
APPLE = """<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
<rdf:Description xmlns:a="http://ns.apple.com/pixeldatainfo/1.0/"
a:AuxiliaryImageType="urn:com:apple:photo:2020:aux:hdrgainmap"/></rdf:RDF></x:xmpmeta>"""


def tagged(image, packet):
    import io
    buffer = io.BytesIO()
    image.save(buffer, "JPEG", quality=80, xmp=packet.encode())
    return Image.open(io.BytesIO(buffer.getvalue()))


# The picture says it itself.
plain.save("gain-map-primary.jpg", quality=90, xmp=ADOBE.encode())


def with_second(name, second):
    """Two pictures by Pillow's multi-picture writer; the second keeps its XMP."""
    import io, struct
    buffer = io.BytesIO()
    plain.save(buffer, "MPO", save_all=True, append_images=[second.copy()])
    data = bytearray(buffer.getvalue())
    # Pillow drops the second picture's XMP: its bytes are put in place of what it wrote there.
    start = data.index(b"\xff\xd8\xff", 4)
    tail = io.BytesIO()
    second.save(tail, "JPEG", quality=80, **({"xmp": second.info["xmp"]} if "xmp" in second.info else {}))
    data[start:] = tail.getvalue()
    # The length in the index is the second entry's, after its attribute.
    open(name, "wb").write(data)


with_second("gain-map-second.jpg", tagged(picture(20, 12, 3), APPLE))
with_second("stereo.jpg", picture(20, 12, 3))
