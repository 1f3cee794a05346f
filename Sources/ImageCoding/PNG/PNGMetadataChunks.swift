#if PNG
import ByteBuffers
import CPNGStream
import Pixels

/// The chunks of a PNG that speak of the whole picture: its colours, EXIF and XMP. The first of each counts; nothing is
/// unpacked before it is asked for.
struct PNGMetadataChunks {
    private var chunks: [PNGChunks.ChunkType: BoundedBytes] = [:]
    /// The content of the text chunk that holds an XMP packet.
    private var packet: BoundedBytes?

    /// EXIF and XMP in the way from before the format had places for them; those places win.
    private var rawProfiles: [PNGRawProfile.Kind: PNGRawProfile] = [:]

    private static let beforePixels: Set<PNGChunks.ChunkType> = [
        .profile, .standardRGB, .gamma, .chromaticities, .codePoints, .masteringDisplay, .lightLevel,
    ]

    mutating func add(_ chunk: PNGChunks.Chunk, isBehindPixels: Bool) {
        let content = BoundedBytes(chunk.content)
        if chunk.type == .internationalText, packet == nil, content.has("XML:com.adobe.xmp\0", at: 0) {
            packet = content
        }
        if chunk.type == .text || chunk.type == .packedText, let profile = PNGRawProfile(chunk) {
            if rawProfiles[profile.kind] == nil { rawProfiles[profile.kind] = profile }
        }
        // EXIF may also stand behind the pixels (PNG 3rd ed. §5.6).
        guard chunk.type == .exif || (Self.beforePixels.contains(chunk.type) && !isBehindPixels) else { return }
        if chunks[chunk.type] == nil { chunks[chunk.type] = content }
    }

    /// The TIFF structure of `eXIf`.
    var exif: UnsafeRawBufferPointer? {
        chunks[.exif].map { TIFFReader.skippingIntroduction(of: $0.bytes) }
    }

    /// The XMP packet, where it is not packed (PNG 3rd ed. §11.3.3.4).
    var xmp: UnsafeRawBufferPointer? { packedXMP.flatMap { $0.isPacked ? nil : $0.bytes } }

    private var packedXMP: (bytes: UnsafeRawBufferPointer, isPacked: Bool)? {
        let keyword = 18
        guard let packet, let isPacked = packet[keyword], packet[keyword + 1] == 0 else { return nil }
        // Two texts that each end with a zero stand before the packet: its language and the keyword in that language.
        var start = keyword + 2
        for _ in 0..<2 {
            guard let end = packet.bytes.firstOffset(of: 0, from: start) else { return nil }
            start = end + 1
        }
        return (packet.slice(start..<packet.count), isPacked != 0)
    }

    /// Everything, unpacked.
    var all: ImageMetadata {
        var found = ImageMetadata(copyingExif: exif, xmp: xmp, profile: profile)
        if let packed = packedXMP, packed.isPacked {
            found.xmp = Self.unpack(packed.bytes, limit: ImageMetadata.maximumByteCount)
        }
        found.exif = found.exif ?? rawExif
        found.xmp = found.xmp ?? rawXMP
        return found
    }

    private var rawExif: Bytes? {
        [.exif, .segment].lazy.compactMap { rawProfiles[$0]?.bytes }.compactMap { bytes in
            let start = bytes.withUnsafeBytes { bytes.count - TIFFReader.skippingIntroduction(of: $0).count }
            let exif = bytes[start..<bytes.count]
            return exif.withUnsafeBytes { TIFFReader($0) == nil } ? nil : exif
        }.first
    }

    private var rawXMP: Bytes? {
        if let packet = rawProfiles[.xmp]?.bytes, !packet.isEmpty { return packet }
        let introduction: StaticString = "http://ns.adobe.com/xap/1.0/\0"
        guard let segment = rawProfiles[.segment]?.bytes,
            segment.withUnsafeBytes({ BoundedBytes($0).has(introduction, at: 0) })
        else { return nil }
        return segment[introduction.utf8CodeUnitCount..<segment.count]
    }

    /// Of EXIF; of XMP where EXIF does not say.
    var orientation: Orientation {
        if let said = exif.flatMap(ExifOrientation.read) ?? xmp.flatMap({ XMPPacket($0).orientation }) { return said }
        // Only where such a chunk is has anything to be unpacked for this.
        guard !rawProfiles.isEmpty else { return .up }
        return ImageMetadata(exif: exif == nil ? rawExif : nil, xmp: xmp == nil ? rawXMP : nil).orientation ?? .up
    }

    // MARK: Colours

    /// What counts of all that is said (PNG 3rd ed. §4.3).
    var color: ColorDescription {
        if let codes = codePoints { return ColorDescription.codePoints(codes).simplified }
        if let profile { return ColorDescription.icc(profile).simplified }
        if chunks[.standardRGB] != nil { return .sRGB }
        guard let gamma = chunks[.gamma]?.bigEndian32(at: 0), gamma > 0 else { return .unspecified }
        let calibration = ColorCalibration(gamma: 100_000 / Double(gamma), chromaticities: chromaticities)
        return ColorDescription.calibrated(calibration).simplified
    }

    private var codePoints: ColorCodePoints? {
        guard let chunk = chunks[.codePoints], let primaries = chunk[0], let transfer = chunk[1], let matrix = chunk[2],
            let range = chunk[3]
        else { return nil }
        let peak = chunks[.lightLevel]?.bigEndian32(at: 0) ?? chunks[.masteringDisplay]?.bigEndian32(at: 16)
        return ColorCodePoints(
            primaries: primaries, transfer: transfer, matrix: matrix, isFullRange: range != 0,
            peakLuminance: peak.flatMap { $0 > 0 ? Double($0) / 10_000 : nil })
    }

    private var chromaticities: Chromaticities? {
        guard let chunk = chunks[.chromaticities] else { return nil }
        let numbers = (0..<8).compactMap { chunk.bigEndian32(at: 4 * $0).map { Double($0) / 100_000 } }
        guard numbers.count == 8 else { return nil }
        let points = (0..<4).map { Chromaticities.Point(x: numbers[2 * $0], y: numbers[2 * $0 + 1]) }
        let found = Chromaticities(red: points[1], green: points[2], blue: points[3], white: points[0])
        return found.isUsable ? found : nil
    }

    /// The unpacked profile: after its name, a zero, and the number of the packing (PNG 3rd ed. §11.3.2.3).
    var profile: ICCProfile? {
        guard let chunk = chunks[.profile], let end = chunk.bytes.prefix(80).firstIndex(of: 0), chunk[end + 1] == 0
        else {
            return nil
        }
        return Self.unpack(chunk.slice(end + 2..<chunk.count), limit: ICCProfile.maximumByteCount).flatMap(
            ICCProfile.init)
    }

    private static func unpack(_ packed: UnsafeRawBufferPointer, limit: Int) -> Bytes? {
        var count = 0
        guard let memory = cpng_unpack(packed.baseAddress, packed.count, limit, &count) else { return nil }
        return Bytes(adopting: memory, count: count)
    }
}
#endif
