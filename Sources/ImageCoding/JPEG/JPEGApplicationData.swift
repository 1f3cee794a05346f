#if JPEG
import ByteBuffers
import CJPEGShim
import Pixels

/// The application segments of a JPEG that is being written: EXIF with its thumbnail, XMP, and the profile in parts.
struct JPEGApplicationData {
    private var segments: [(marker: UInt8, payload: [UInt8])] = []

    /// No segment has more.
    private static let longest = Int(CJPEG_LONGEST_APPLICATION)
    /// A thumbnail is tried at each of these until EXIF fits into its segment.
    private static let thumbnailQualities = [75, 50, 25]

    private init() {}

    /// - Throws: ``CodingError`` with `encodingFailed` when a piece is longer than JPEG allows.
    init(for bitmap: Bitmap, _ options: EncodeOptions) throws(CodingError) {
        if let exif = try Self.exif(for: bitmap, options) {
            try add(JPEGMarker.app1, "Exif\0\0", exif, "EXIF")
        }
        if let xmp = options.xmp { try add(JPEGMarker.app1, "http://ns.adobe.com/xap/1.0/\0", xmp, "XMP") }
        if let extended = options.metadata?.extendedXMP { add(extendedXMP: extended, of: options.xmp) }
        if let profile = try options.profile(for: .jpeg) { try add(profile: profile) }
    }

    private mutating func add(_ marker: UInt8, _ name: String, _ content: Bytes, _ what: String) throws(CodingError) {
        let payload = Array(name.utf8) + content.array
        guard payload.count <= Self.longest else {
            throw CodingError(
                .encodingFailed,
                "The \(what) has \(content.count) bytes; a JPEG takes \(Self.longest - name.utf8.count).",
                format: .jpeg)
        }
        segments.append((marker, payload))
    }

    /// In parts that have the name by which the packet speaks of them; without one nobody would find them.
    private mutating func add(extendedXMP content: Bytes, of packet: Bytes?) {
        guard let name = packet?.withUnsafeBytes({ packet in XMPPacket(packet).extensionName.map(Array.init) }) else {
            return
        }
        let introduction = Array(JPEGExtendedXMP.introduction.utf8) + name + Self.bigEndian(content.count)
        let partLength = Self.longest - introduction.count - 4
        for start in stride(from: 0, to: content.count, by: partLength) {
            let piece = content[start..<min(start + partLength, content.count)]
            segments.append((JPEGMarker.app1, introduction + Self.bigEndian(start) + piece.array))
        }
    }

    private static func bigEndian(_ number: Int) -> [UInt8] {
        withUnsafeBytes(of: UInt32(truncatingIfNeeded: number).bigEndian) { Array($0) }
    }

    /// In parts that name their number and how many there are (ICC.1:2022 annex B.4).
    private mutating func add(profile: Bytes) throws(CodingError) {
        let name = "ICC_PROFILE\0"
        let partLength = Self.longest - name.utf8.count - 2
        let count = (profile.count + partLength - 1) / partLength
        guard count <= 255 else {
            throw CodingError(.encodingFailed, "The profile is too long for a JPEG.", format: .jpeg)
        }
        for part in 0..<count {
            let start = part * partLength
            let piece = profile[start..<min(start + partLength, profile.count)]
            segments.append((JPEGMarker.app2, Array(name.utf8) + [UInt8(part + 1), UInt8(count)] + piece.array))
        }
    }

    private static func exif(for bitmap: Bitmap, _ options: EncodeOptions) throws(CodingError) -> Bytes? {
        guard let side = options.thumbnailSide else { return options.exif() }
        let longestSide = max(bitmap.width, bitmap.height)
        let scale = min(1, Double(side) / Double(longestSide))
        let small = try bitmap.shrunk(
            to: PixelSize(
                width: max(1, Int((Double(bitmap.width) * scale).rounded())),
                height: max(1, Int((Double(bitmap.height) * scale).rounded()))))
        for quality in thumbnailQualities {
            let plain = EncodeOptions(quality: quality, background: options.background)
            let exif = options.exif(thumbnail: try JPEGEncoder.encode(small, plain, JPEGApplicationData()))
            if let exif, exif.count <= longest - 6 { return exif }
        }
        throw CodingError(.encodingFailed, "The EXIF leaves no room for a thumbnail.", format: .jpeg)
    }

    /// Calls `body` with the segments as the library wants them.
    func withSegments<Result>(_ body: (UnsafeBufferPointer<cjpeg_application>) -> Result) -> Result {
        let all = segments.flatMap(\.payload)
        return all.withUnsafeBufferPointer { all in
            var start = 0
            let applications = segments.map { segment in
                defer { start += segment.payload.count }
                return cjpeg_application(
                    marker: Int32(segment.marker), bytes: all.baseAddress.map { $0 + start },
                    count: segment.payload.count)
            }
            return applications.withUnsafeBufferPointer(body)
        }
    }
}
#endif
