import WebImage

/// What is known of a picture without decoding its pixels: a line of `info --json`.
struct PictureReport: Encodable, Sendable {
    /// The small picture in EXIF.
    struct Thumbnail: Encodable, Sendable {
        let bytes: Int
        /// Left out when it is not one that can be read.
        var width: Int?
        var height: Int?
    }

    let source: String
    var format: String?
    /// As the picture is seen.
    var width: Int?
    var height: Int?
    /// Before the orientation is applied.
    var storedWidth: Int?
    var storedHeight: Int?
    var orientation: Int?
    var hasAlpha: Bool?
    var bitsPerComponent: Int?
    /// A short name, see ``ColorDescription/name``.
    var color: String?
    /// The name that the profile gives itself.
    var profile: String?
    var isHighDynamicRange: Bool?
    var hasGainMap: Bool?
    var isProgressive: Bool?
    /// 1 for a picture that does not move; left out when it is not known without decoding the whole file.
    var frames: Int?
    /// How long each frame is shown in milliseconds, for pictures that move.
    var durations: [Double]?
    /// How often it plays in all; 0 means for ever.
    var loopCount: Int?
    /// `false` when the file ends behind the last of the frames that are told.
    var isComplete: Bool?
    /// Of a document or an icon: pictures that do not follow one another in time.
    var pages: Int?
    var exifBytes: Int?
    var xmpBytes: Int?
    var profileBytes: Int?
    var thumbnail: Thumbnail?
    /// Of the whole file.
    var bytes: Int?
    var error: LoadRecord.Failure?

    init(source: String, error: ImageError) {
        self.source = source
        self.error = LoadRecord.Failure(error)
    }

    /// - Throws: `CodingError` when the header cannot be read. What stands beside it may be damaged: then it is left out.
    init(source: String, bytes: Bytes, coders: CoderRegistry = .standard) throws(CodingError) {
        let info = try bytes.withUnsafeBytes { raw throws(CodingError) in try coders.info(of: raw) }
        self.source = source
        self.bytes = bytes.count
        format = info.format.name
        (width, height) = (info.size.width, info.size.height)
        (storedWidth, storedHeight) = (info.storedSize.width, info.storedSize.height)
        orientation = Int(info.orientation.rawValue)
        hasAlpha = info.hasAlpha
        bitsPerComponent = info.bitsPerComponent
        color = info.color.name
        isHighDynamicRange = info.color.isHighDynamicRange
        hasGainMap = info.hasGainMap
        isProgressive = info.isProgressive
        readFrames(of: bytes, info, coders)
        readMetadata(of: bytes, coders)
        if case .icc(let stated) = info.color { profile = profile ?? stated.name }
    }

    private mutating func readFrames(of bytes: Bytes, _ info: ImageInfo, _ coders: CoderRegistry) {
        if Self.pagedFormats.contains(info.format) {
            (frames, pages) = (1, info.frameCount)
            return
        }
        if Self.sharedFormats.contains(info.format) {
            frames = 1
            pages = info.frameCount.flatMap { $0 > 1 ? $0 : nil }
            return
        }
        frames = info.frameCount
        guard coders.animatedFormats.contains(info.format), let animation = try? coders.animation(of: bytes) else {
            return
        }
        frames = animation.frameCount
        guard animation.frameCount > 1 else { return }
        durations = animation.durations.map(Figures.milliseconds)
        loopCount = animation.loopCount
        isComplete = animation.header.isComplete
    }

    private mutating func readMetadata(of bytes: Bytes, _ coders: CoderRegistry) {
        guard let metadata = try? bytes.withUnsafeBytes({ try coders.metadata(of: $0) }) else { return }
        exifBytes = metadata.exif?.count
        xmpBytes = metadata.xmp?.count
        profileBytes = metadata.profile?.bytes.count
        profile = metadata.profile?.name
        guard let small = metadata.thumbnail else { return }
        let size = try? small.withUnsafeBytes { try coders.info(of: $0) }.size
        thumbnail = Thumbnail(bytes: small.count, width: size?.width, height: size?.height)
    }

    /// Their headers count pages and sizes where others count frames.
    private static let pagedFormats: Set<ImageFormat> = [.ico, .cur, .tiff, .pdf]
    /// Several pictures may share a file, though nearly always there is one.
    private static let sharedFormats: Set<ImageFormat> = [.heic, .heif]
}
