#if JPEG
import ByteBuffers

/// What does not fit into a JPEG's one segment of XMP: parts in further segments, each with the name that the packet gives
/// them, the length of the whole and its place in it (ISO 16684-3 §1.1.3.1).
struct JPEGExtendedXMP {
    static let introduction = "http://ns.adobe.com/xmp/extension/\0"
    /// The name, the length and the place.
    static let headerLength = XMPPacket.extensionNameLength + 8
    /// As many as fill ``ImageMetadata/maximumByteCount``, each as large as a segment may be.
    private static let mostParts = 80

    private struct Part {
        let name: Range<Int>
        let total: Int
        let place: Int
        let bytes: Range<Int>
    }

    private var parts: [Part] = []

    /// - Parameter content: what follows the introduction in a segment.
    mutating func add(_ content: Range<Int>, of bytes: UnsafeRawBufferPointer) {
        let numbers = content.lowerBound + XMPPacket.extensionNameLength
        guard parts.count < Self.mostParts, content.count > Self.headerLength,
            let total = BoundedBytes(bytes).bigEndian32(at: numbers),
            let place = BoundedBytes(bytes).bigEndian32(at: numbers + 4)
        else { return }
        parts.append(
            Part(
                name: content.lowerBound..<numbers, total: total, place: place,
                bytes: content.dropFirst(Self.headerLength)))
    }

    /// The joined parts of a name; `nil` when there is none, one is missing, or they contradict each other.
    func whole(named name: UnsafeRawBufferPointer, in bytes: UnsafeRawBufferPointer) -> Bytes? {
        let named = parts.filter { bytes[$0.name].elementsEqual(name) }.sorted { $0.place < $1.place }
        guard let total = named.first?.total, total <= ImageMetadata.maximumByteCount else { return nil }
        var joined = ByteAccumulator(limit: total, expected: total)
        var count = 0
        for part in named {
            guard part.total == total, part.place == count,
                (try? joined.append(UnsafeRawBufferPointer(rebasing: bytes[part.bytes]))) != nil
            else { return nil }
            count += part.bytes.count
        }
        return count == total ? joined.finish() : nil
    }
}
#endif
