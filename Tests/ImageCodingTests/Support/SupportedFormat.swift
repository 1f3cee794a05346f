#if JPEG && PNG && GIF && WebP && AVIF && HEIF && JPEGXL && TIFF && SVG && PDF && RAW && LCMS
import ByteBuffers
import ImageCoding
import Pixels
import Testing

/// A row of the support matrix: files that show what a format can do, each tried when the row is made.
struct SupportedFormat: Sendable {
    let name: String
    let format: ImageFormat
    /// The format in whose files this one's pictures lie: what is said beside the pixels, it says in the same way.
    var kin: String?
    /// A still picture.
    let still: String
    var moving: String?
    /// Pictures that may be seen before all of their bytes are there: row by row, or pass by pass.
    var parts: [String] = []
    /// Colours by a profile, and by numbers.
    var profile: String?
    var numbers: String?
    var metadata: String?
    var orientation: String?
    /// A small version inside, and its size.
    var small: (file: String, size: PixelSize)?
    var deep: [String] = []

    static let all: [SupportedFormat] = [
        SupportedFormat(
            name: "JPEG", format: .jpeg, still: "jpeg/baseline.jpg",
            parts: ["jpeg/baseline.jpg", "jpeg/progressive.jpg"],
            profile: "color/p3.jpg", metadata: "metadata/both.jpg", orientation: "orientation/6.jpg",
            small: ("metadata/large.jpg", PixelSize(width: 120, height: 160))),
        SupportedFormat(
            name: "PNG", format: .png, still: "png/rgba8.png", parts: ["png/rgb8.png", "png/rgb8-interlaced.png"],
            profile: "color/p3.png", numbers: "color/cicp-p3.png", metadata: "metadata/both.png",
            orientation: "orientation/6.png", deep: ["depth/straight.png"]),
        SupportedFormat(
            name: "APNG", format: .apng, kin: "PNG", still: "animation/opaque.png", moving: "animation/opaque.png",
            parts: ["animation/opaque.png"]),
        SupportedFormat(
            name: "GIF", format: .gif, still: "gif/plain.gif", moving: "animation/keep.gif",
            parts: ["gif/plain.gif", "gif/interlaced.gif"]),
        SupportedFormat(
            name: "WebP", format: .webp, still: "webp/lossy.webp",
            parts: ["webp/large.webp", "webp/lossless.webp", "webp/lossy.webp"], profile: "color/p3-alpha.webp",
            metadata: "metadata/both.webp", orientation: "orientation/6.webp"),
        SupportedFormat(
            name: "WebP, moving", format: .animatedWebP, kin: "WebP", still: "animation/opaque.webp",
            moving: "animation/opaque.webp", parts: ["animation/opaque.webp"]),
        SupportedFormat(
            name: "AVIF", format: .avif, still: "avif/alpha.avif", moving: "avif/sequence.avif",
            parts: ["avif/opaque.avif", "avif/grid.avif"], profile: "metadata/both.avif", numbers: "avif/opaque.avif",
            metadata: "metadata/both.avif", orientation: "orientation/6.avif",
            deep: ["depth/bits10.avif", "depth/bits12.avif"]),
        SupportedFormat(
            name: "HEIC, HEIF", format: .heic, still: "heif/alpha.heic", parts: ["heif/opaque.heic"],
            profile: "metadata/both.heic", metadata: "metadata/both.heic", orientation: "orientation/6.heic",
            small: ("heif/thumbnail.heic", PixelSize(width: 48, height: 32)),
            deep: ["depth/bits10.heic", "depth/bits12.heic"]),
        SupportedFormat(
            name: "JPEG XL", format: .jpegXL, still: "jxl/lossy-alpha.jxl", moving: "jxl/moving.jxl",
            parts: ["jxl/progressive.jxl", "jxl/lossy.jxl"], profile: "metadata/boxes.jxl",
            metadata: "metadata/boxes.jxl", orientation: "orientation/6.jxl", deep: ["depth/straight.jxl"]),
        SupportedFormat(
            name: "TIFF", format: .tiff, still: "tiff/rgba-deflate.tiff", moving: "tiff/pages.tiff",
            parts: ["tiff/rgb-none.tiff"], profile: "metadata/both.tiff", metadata: "metadata/both.tiff",
            orientation: "orientation/6.tiff", deep: ["depth/straight.tiff", "depth/float.tiff"]),
        SupportedFormat(name: "BMP", format: .bmp, still: "bmp/alpha.bmp", parts: ["bmp/rgb24.bmp"]),
        SupportedFormat(
            name: "ICO, CUR", format: .ico, still: "ico/sizes.ico", moving: "ico/sizes.ico", parts: ["ico/sizes.ico"],
            small: ("ico/sizes.ico", PixelSize(width: 16, height: 16))),
        SupportedFormat(name: "SVG", format: .svg, still: "svg/drawing.svg", parts: ["svg/drawing.svg"]),
        SupportedFormat(
            name: "PDF", format: .pdf, still: "pdf/drawing.pdf", moving: "pdf/drawing.pdf", parts: ["pdf/drawing.pdf"]),
        SupportedFormat(
            name: "RAW", format: .raw, still: "raw/upright.dng", parts: ["raw/upright.dng"],
            metadata: "raw/turned.dng", orientation: "orientation/6.dng",
            small: ("raw/upright.dng", PixelSize(width: 48, height: 32)), deep: ["raw/upright.dng"]),
    ]
}
#endif
