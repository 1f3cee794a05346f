/// A picture's file format, decided by its bytes alone.
///
/// The set is open: a coder of your own may define another format by a new name.
public struct ImageFormat: Hashable, Sendable {
    /// A short lower-case name, `jpeg` for example. Two formats are the same when their names are.
    public let name: String
    /// The registered media type, `image/jpeg` for example.
    public let mediaType: String
    /// The usual file extension without a dot.
    public let fileExtension: String

    public init(name: String, mediaType: String, fileExtension: String) {
        self.name = name
        self.mediaType = mediaType
        self.fileExtension = fileExtension
    }

    public static func == (left: ImageFormat, right: ImageFormat) -> Bool { left.name == right.name }

    public func hash(into hasher: inout Hasher) { hasher.combine(name) }
}

extension ImageFormat {
    public static let jpeg = ImageFormat(name: "jpeg", mediaType: "image/jpeg", fileExtension: "jpg")
    public static let png = ImageFormat(name: "png", mediaType: "image/png", fileExtension: "png")
    /// A PNG with an animation control chunk before its pixels.
    public static let apng = ImageFormat(name: "apng", mediaType: "image/apng", fileExtension: "png")
    public static let gif = ImageFormat(name: "gif", mediaType: "image/gif", fileExtension: "gif")
    /// A still WebP.
    public static let webp = ImageFormat(name: "webp", mediaType: "image/webp", fileExtension: "webp")
    /// A WebP whose header says that it is animated.
    public static let animatedWebP = ImageFormat(
        name: "webp-animated", mediaType: "image/webp", fileExtension: "webp")
    public static let tiff = ImageFormat(name: "tiff", mediaType: "image/tiff", fileExtension: "tiff")
    public static let bmp = ImageFormat(name: "bmp", mediaType: "image/bmp", fileExtension: "bmp")
    public static let ico = ImageFormat(name: "ico", mediaType: "image/vnd.microsoft.icon", fileExtension: "ico")
    /// An icon with a hot spot.
    public static let cur = ImageFormat(name: "cur", mediaType: "image/x-win-bitmap", fileExtension: "cur")
    /// HEIF with HEVC pictures.
    public static let heic = ImageFormat(name: "heic", mediaType: "image/heic", fileExtension: "heic")
    /// HEIF whose brands do not name the codec.
    public static let heif = ImageFormat(name: "heif", mediaType: "image/heif", fileExtension: "heif")
    public static let avif = ImageFormat(name: "avif", mediaType: "image/avif", fileExtension: "avif")
    /// JPEG XL, as a bare codestream or in its container.
    public static let jpegXL = ImageFormat(name: "jxl", mediaType: "image/jxl", fileExtension: "jxl")
    public static let svg = ImageFormat(name: "svg", mediaType: "image/svg+xml", fileExtension: "svg")
    public static let pdf = ImageFormat(name: "pdf", mediaType: "application/pdf", fileExtension: "pdf")
    /// What a camera's sensor saw, in the container of its maker or in Adobe's DNG.
    public static let raw = ImageFormat(name: "raw", mediaType: "image/x-dcraw", fileExtension: "dng")
    /// The bytes are none of the formats that are known.
    public static let unknown = ImageFormat(
        name: "unknown", mediaType: "application/octet-stream", fileExtension: "bin")
}

extension ImageFormat: CustomStringConvertible {
    public var description: String { name }
}
