import ImageCaching
import ImageCoding
import Pixels

/// What is written beside a result: what it was made of. What the original says of its colours is left out, as the
/// result's are sRGB.
enum ResultDescription {
    private static let formatField = "original-format", sizeField = "original-size"
    private static let orientationField = "original-orientation", alphaField = "original-alpha"
    private static let framesField = "original-frames", progressiveField = "original-progressive"
    private static let bitsField = "original-bits", gainMapField = "original-gain-map"
    private static let bytesField = "original-bytes"
    /// The format that the result itself is in; only results have it.
    static let resultField = "result-format"

    static func write(_ picture: CachedPicture, _ format: ImageFormat, to metadata: inout EntryMetadata) {
        let info = picture.info
        metadata[resultField] = format.mediaType
        metadata[formatField] = [info.format.name, info.format.mediaType, info.format.fileExtension]
            .joined(separator: " ")
        metadata[sizeField] = "\(info.storedSize.width) \(info.storedSize.height)"
        metadata[orientationField] = String(info.orientation.rawValue)
        metadata[alphaField] = String(info.hasAlpha)
        metadata[framesField] = info.frameCount.map(String.init)
        metadata[progressiveField] = String(info.isProgressive)
        metadata[bitsField] = String(info.bitsPerComponent)
        metadata[gainMapField] = String(info.hasGainMap)
        metadata[bytesField] = String(picture.byteCount)
    }

    /// - Returns: `nil` when something is missing or makes no sense.
    static func read(_ metadata: EntryMetadata) -> (info: ImageInfo, byteCount: Int)? {
        let format = metadata[formatField]?.split(separator: " ").map(String.init) ?? []
        let size = metadata[sizeField]?.split(separator: " ").compactMap { Int($0) } ?? []
        guard format.count == 3, size.count == 2, size.allSatisfy({ $0 > 0 }),
            let orientation = metadata[orientationField].flatMap({ Int($0) }),
            let hasAlpha = metadata[alphaField].flatMap(Bool.init),
            let isProgressive = metadata[progressiveField].flatMap(Bool.init),
            let bits = metadata[bitsField].flatMap({ Int($0) }),
            let hasGainMap = metadata[gainMapField].flatMap(Bool.init),
            let byteCount = metadata[bytesField].flatMap({ Int($0) })
        else { return nil }
        let info = ImageInfo(
            format: ImageFormat(name: format[0], mediaType: format[1], fileExtension: format[2]),
            storedSize: PixelSize(width: size[0], height: size[1]), orientation: Orientation(exif: orientation),
            hasAlpha: hasAlpha, frameCount: metadata[framesField].flatMap { Int($0) }, isProgressive: isProgressive,
            bitsPerComponent: bits, hasGainMap: hasGainMap)
        return (info, byteCount)
    }
}
