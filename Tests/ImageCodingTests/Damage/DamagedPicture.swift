import ImageCoding
import Testing

/// A file that the damage suite breaks, and what its format's standard lets come of it.
struct DamagedPicture: Sendable, CustomTestStringConvertible {
    let path: String
    let decoder: any ImageDecoder
    /// A good part of a picture may come of a file that is cut.
    var allowsPart = false
    /// `false` where a relative of it stands for it.
    var isFlipped = true
    /// Decoding takes well under a millisecond.
    var isCheap = true

    var testDescription: String { path }

    /// Every decoder of the package is here; a format without a picture fails ``DamageTests``.
    static let all: [DamagedPicture] = {
        var all: [DamagedPicture] = []
        #if JPEG
        for name in ["baseline", "progressive", "cmyk"] {
            // Bytes behind the last scan are not missed; of a cut scan nothing comes.
            all.append(DamagedPicture(path: "jpeg/\(name).jpg", decoder: JPEGDecoder(), isCheap: false))
        }
        #endif
        #if PNG
        let flipped = [
            "rgb8", "rgb8-interlaced", "gray1", "palette4", "gray16-key", "palette-alpha-gamma", "rgba16",
            "interlaced-9", "exif-6-late", "animated",
        ]
        for name in PNGDecoderTests.opaque + PNGDecoderTests.transparent {
            // Behind the pixels stand EXIF, an animation's frames, and an end that nobody needs.
            all.append(
                DamagedPicture(
                    path: "png/\(name).png", decoder: PNGDecoder(),
                    allowsPart: ["exif-6-late", "animated"].contains(name), isFlipped: flipped.contains(name)))
        }
        #endif
        #if GIF
        for name in GIFDecoderTests.opaque + GIFDecoderTests.transparent {
            all.append(
                DamagedPicture(path: "gif/\(name).gif", decoder: GIFDecoder(), allowsPart: name == "animated"))
        }
        #endif
        #if WebP
        for name in WebPDecoderTests.opaque + WebPDecoderTests.transparent {
            let allowsPart = ["animated", "offset", "exif-6"].contains(name)
            all.append(DamagedPicture(path: "webp/\(name).webp", decoder: WebPDecoder(), allowsPart: allowsPart))
        }
        #endif
        #if AVIF
        for name in AVIFTests.opaque + AVIFTests.transparent {
            all.append(
                DamagedPicture(path: "avif/\(name).avif", decoder: AVIFDecoder(), allowsPart: name == "sequence"))
        }
        #endif
        #if HEIF
        for name in HEIFTests.names { all.append(DamagedPicture(path: "heif/\(name).heic", decoder: HEIFDecoder())) }
        #endif
        #if JPEGXL
        for name in JXLTests.names {
            // What is missing of a moving picture, or behind a container's codestream, need not concern the first frame.
            let allowsPart = ["moving", "jpeg"].contains(name)
            all.append(DamagedPicture(path: "jxl/\(name).jxl", decoder: JXLDecoder(), allowsPart: allowsPart))
        }
        #endif
        #if TIFF
        for name in TIFFTests.names {
            // Pages, and what stands behind the strips, need not concern the first page.
            all.append(DamagedPicture(path: "tiff/\(name).tiff", decoder: TIFFDecoder(), allowsPart: true))
        }
        #endif
        for name in BMPTests.names { all.append(DamagedPicture(path: "bmp/\(name).bmp", decoder: BMPDecoder())) }
        for name in ICOTests.names {
            // A smaller picture of the same icon may be whole.
            all.append(DamagedPicture(path: "ico/\(name)", decoder: ICODecoder(), allowsPart: true))
        }
        #if SVG
        all.append(DamagedPicture(path: "svg/drawing.svg", decoder: SVGDecoder()))
        #endif
        #if PDF
        // Poppler mends a file whose table of objects is missing, as readers do.
        all.append(
            DamagedPicture(path: "pdf/drawing.pdf", decoder: PDFDecoder(), allowsPart: true, isCheap: false))
        #endif
        #if RAW
        // LibRaw makes what it can of a sensor's missing rows.
        all.append(
            DamagedPicture(path: "raw/upright.dng", decoder: RAWDecoder(), allowsPart: true, isCheap: false))
        #endif
        return all
    }()
}
