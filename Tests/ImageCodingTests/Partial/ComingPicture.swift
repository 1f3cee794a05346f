import ImageCoding
import Testing

/// A sample that is looked at while it comes.
struct ComingPicture: CustomTestStringConvertible {
    let file: String
    let decoder: any PartialImageDecoder
    /// Damage to it is tried at every byte with two masks.
    var isCheap = true

    var testDescription: String { file }

    /// One list for each format, `files` being without folder and ending.
    private static func all(
        _ files: [String], _ folder: String, _ ending: String, _ decoder: any PartialImageDecoder, isCheap: Bool = true
    ) -> [ComingPicture] {
        files.map { ComingPicture(file: "\(folder)/\($0).\(ending)", decoder: decoder, isCheap: isCheap) }
    }

    /// Pictures of which every row is known when its bytes have come.
    static let rows: [ComingPicture] = {
        var found: [ComingPicture] = []
        #if JPEG
        let jpeg = ["baseline", "gray", "restart", "full-colour", "rgb", "tall", "cmyk", "ycck"]
        found += all(jpeg, "jpeg", "jpg", JPEGDecoder())
        #endif
        #if PNG
        let png = (PNGDecoderTests.opaque + PNGDecoderTests.transparent).filter { !$0.contains("interlaced") }
        found += all(png, "png", "png", PNGDecoder())
        #endif
        #if GIF
        let gif = ["plain", "transparent", "offset", "clipped", "one-frame", "animated"]
        found += all(gif, "gif", "gif", GIFDecoder())
        #endif
        #if WebP
        let webp = ["lossy", "lossy-alpha", "lossless", "lossless-opaque", "large", "large-alpha", "one", "animated"]
        found += all(webp, "webp", "webp", WebPDecoder())
        #endif
        return found
    }()

    /// Pictures of every kind, which get damaged.
    static let kinds: [ComingPicture] = {
        var found: [ComingPicture] = []
        #if JPEG
        found += all(["baseline", "progressive"], "jpeg", "jpg", JPEGDecoder(), isCheap: false)
        #endif
        #if PNG
        let png = ["rgb8", "rgba8-interlaced", "palette-alpha-gamma", "rgba16", "animated"]
        found += all(png, "png", "png", PNGDecoder())
        #endif
        #if GIF
        let gif = ["plain", "interlaced", "animated", "clipped", "no-palette"]
        found += all(gif, "gif", "gif", GIFDecoder())
        #endif
        #if WebP
        found += all(["lossy", "lossy-alpha", "lossless", "animated"], "webp", "webp", WebPDecoder())
        #endif
        #if JPEGXL
        let jxl = ["lossy", "lossless", "progressive", "moving", "jpeg"]
        found += all(jxl, "jxl", "jxl", JXLDecoder(), isCheap: false)
        #endif
        return found
    }()
}
