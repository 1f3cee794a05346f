import WebImage

/// What became of one source of `webimage convert`: a line of `--json`, and one for people.
struct ConvertRecord: Encodable, Sendable {
    let source: String
    /// What it was, and where its bytes came from.
    var sourceFormat: String?
    var sourceBytes: Int?
    /// Frames or pages that there were.
    var sourceFrames: Int?
    var tier: String?
    /// What was written.
    var format: String?
    var width: Int?
    var height: Int?
    /// Frames that were written.
    var frames: Int?
    /// Metadata that was written.
    var exifBytes: Int?
    var xmpBytes: Int?
    var bytes: Int?
    var output: String?
    var error: LoadRecord.Failure?

    init(source: String, response: DataResponse, converted: Conversion.Converted, output: String) {
        self.source = source
        sourceFormat = converted.sourceFormat.name
        sourceBytes = response.bytes.count
        sourceFrames = converted.sourceFrameCount
        tier = response.tier.rawValue
        format = converted.info.format.name
        (width, height) = (converted.info.size.width, converted.info.size.height)
        frames = converted.frameCount
        exifBytes = converted.metadata.exif?.count
        xmpBytes = converted.metadata.xmp?.count
        bytes = converted.bytes.count
        self.output = output
    }

    init(source: String, error: ImageError) {
        self.source = source
        self.error = LoadRecord.Failure(error)
    }

    /// One line for people.
    var line: String {
        if let error { return "failed   \(source): \(error.message)" }
        let (written, there) = (frames ?? 1, sourceFrames ?? 1)
        let moving = written > 1 ? ", \(written) frames" : there > 1 ? ", the first of \(there) frames" : ""
        return "\(source) → \(output ?? ""): \(format ?? "") \(width ?? 0)×\(height ?? 0)\(moving), "
            + "\(Figures.bytes(sourceBytes ?? 0)) → \(Figures.bytes(bytes ?? 0))"
    }
}
