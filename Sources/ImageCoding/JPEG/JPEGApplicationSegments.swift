#if JPEG
import ByteBuffers
import Pixels

/// The segments before a JPEG's pixels that other standards define. Noted where they stand; nothing is copied until it is
/// asked for, and of each kind as much is noted as the standard allows a file to have, however many there are.
struct JPEGApplicationSegments {
    /// The TIFF structure of the first EXIF segment (CIPA DC-008 §4.7.2).
    private(set) var exif: Range<Int>?
    /// The packet of the first XMP segment.
    private(set) var xmp: Range<Int>?
    private var extendedXMP = JPEGExtendedXMP()
    /// The index of further pictures in the same file (CIPA DC-007), from its byte order mark on.
    private(set) var pictureIndex: Range<Int>?
    /// A segment says that the file has a gain map (ISO 21496-1).
    private var announcesGainMap = false
    private var profileParts: [ProfilePart?] = []

    private struct ProfilePart {
        let count: Int
        let bytes: Range<Int>
    }

    mutating func add(_ segment: JPEGSegment, of bytes: UnsafeRawBufferPointer) {
        let payload = segment.payload
        func content(after name: StaticString) -> Range<Int>? {
            let found = BoundedBytes(bytes).has(name, at: payload.lowerBound) && payload.count >= name.utf8CodeUnitCount
            return found ? payload.dropFirst(name.utf8CodeUnitCount) : nil
        }
        if segment.marker == JPEGMarker.app1 {
            if exif == nil { exif = content(after: "Exif\0\0") }
            if xmp == nil { xmp = content(after: "http://ns.adobe.com/xap/1.0/\0") }
            if let part = content(after: "http://ns.adobe.com/xmp/extension/\0") { extendedXMP.add(part, of: bytes) }
        } else if let part = content(after: "ICC_PROFILE\0") {
            add(profilePart: part, of: bytes)
        } else if pictureIndex == nil, let index = content(after: "MPF\0") {
            pictureIndex = index
        } else if content(after: "urn:iso:std:iso:ts:21496:-1\0") != nil {
            announcesGainMap = true
        }
    }

    /// A part begins with its number, from one, and how many there are (ICC.1:2022 annex B.4).
    private mutating func add(profilePart part: Range<Int>, of bytes: UnsafeRawBufferPointer) {
        guard part.count > 2 else { return }
        let number = Int(bytes[part.lowerBound])
        guard number > 0 else { return }
        while profileParts.count < number { profileParts.append(nil) }
        guard profileParts[number - 1] == nil else { return }
        profileParts[number - 1] = ProfilePart(count: Int(bytes[part.lowerBound + 1]), bytes: part.dropFirst(2))
    }

    // MARK: What they say

    /// The joined profile; `nil` when there is none, a part is missing, or it is too large.
    func profile(in bytes: UnsafeRawBufferPointer) -> ICCProfile? {
        let parts = profileParts.compactMap { $0 }
        guard !parts.isEmpty, parts.count == profileParts.count, parts.allSatisfy({ $0.count == parts.count }) else {
            return nil
        }
        let count = parts.reduce(0) { $0 + $1.bytes.count }
        guard count <= ICCProfile.maximumByteCount else { return nil }
        let joined = try? Bytes(capacity: count) { room in
            var filled = 0
            for part in parts {
                UnsafeMutableRawBufferPointer(rebasing: room[filled...]).copyMemory(
                    from: UnsafeRawBufferPointer(rebasing: bytes[part.bytes]))
                filled += part.bytes.count
            }
            return filled
        }
        return joined.flatMap(ICCProfile.init)
    }

    func metadata(in bytes: UnsafeRawBufferPointer) -> ImageMetadata {
        func piece(_ range: Range<Int>?) -> UnsafeRawBufferPointer? {
            range.map { UnsafeRawBufferPointer(rebasing: bytes[$0]) }
        }
        var found = ImageMetadata(copyingExif: piece(exif), xmp: piece(xmp), profile: profile(in: bytes))
        if let packet = piece(xmp), let name = XMPPacket(packet).extensionName {
            found.extendedXMP = extendedXMP.whole(named: name, in: bytes)
        }
        return found
    }

    /// Of EXIF; of XMP where EXIF does not say.
    func orientation(in bytes: UnsafeRawBufferPointer) -> Orientation {
        exif.flatMap { ExifOrientation.read(fromTIFF: UnsafeRawBufferPointer(rebasing: bytes[$0])) }
            ?? xmp.flatMap { XMPPacket(UnsafeRawBufferPointer(rebasing: bytes[$0])).orientation } ?? .up
    }

    /// Whether the file says so itself or one of the further pictures in it calls itself a gain map.
    func hasGainMap(in bytes: UnsafeRawBufferPointer) -> Bool {
        func names(_ packet: Range<Int>?) -> Bool {
            packet.map { XMPPacket(UnsafeRawBufferPointer(rebasing: bytes[$0])).namesGainMap } ?? false
        }
        if announcesGainMap || names(xmp) { return true }
        guard let pictureIndex else { return false }
        return JPEGPictureIndex(bytes, pictureIndex).pictures.contains { start in
            let picture = UnsafeRawBufferPointer(rebasing: bytes[start...])
            guard let header = try? JPEGHeader(picture) else { return false }
            let applications = header.applications
            return applications.announcesGainMap
                || applications.xmp.map { XMPPacket(UnsafeRawBufferPointer(rebasing: picture[$0])).namesGainMap }
                    == true
        }
    }
}
#endif
