"""Puts XMP that is too long for one segment into two more, small ones here (ISO 16684-3 §1.1.3.1)."""
import hashlib, struct

extension = ("<x:xmpmeta xmlns:x='adobe:ns:meta/'><rdf:RDF xmlns:rdf='http://www.w3.org/1999/02/22-rdf-syntax-ns#'>"
             "<rdf:Description rdf:about='' xmlns:dc='http://purl.org/dc/elements/1.1/'><dc:description><rdf:Alt>"
             "<rdf:li xml:lang='x-default'>" + "A long story. " * 70 + "</rdf:li></rdf:Alt></dc:description>"
             "</rdf:Description></rdf:RDF></x:xmpmeta>").encode()
name = hashlib.md5(extension).hexdigest().upper().encode()
packet = (b"<x:xmpmeta xmlns:x='adobe:ns:meta/'><rdf:RDF xmlns:rdf='http://www.w3.org/1999/02/22-rdf-syntax-ns#'>"
          b"<rdf:Description rdf:about='' xmlns:xmpNote='http://ns.adobe.com/xmp/note/' xmpNote:HasExtendedXMP='" + name
          + b"'/></rdf:RDF></x:xmpmeta>")


def segment(payload):
    return b"\xff\xe1" + struct.pack(">H", len(payload) + 2) + payload


half = len(extension) // 2
parts = [(half, extension[half:]), (0, extension[:half])]
added = segment(b"http://ns.adobe.com/xap/1.0/\0" + packet)
for place, part in parts:
    added += segment(b"http://ns.adobe.com/xmp/extension/\0" + name + struct.pack(">II", len(extension), place) + part)
plain = open("plain.jpg", "rb").read()
open("extended.jpg", "wb").write(plain[:2] + added + plain[2:])
open("extended.xmp.txt", "wb").write(extension)
