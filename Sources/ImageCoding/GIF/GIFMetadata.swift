#if GIF
import ByteBuffers

/// How XMP stands in a GIF: an application extension whose content is the packet itself, not divided into blocks (XMP
/// Specification part 3, §1.1.2).
///
/// A reader that knows nothing of it takes the packet's characters for lengths of blocks. Wherever it lands behind the
/// packet, a run of falling numbers leads it to the end.
enum GIFMetadata {
    static let name = Array("XMP DataXMP".utf8)
    /// 1, 255 and down to 0; the block of length 0 that ends every extension follows.
    static let trailer = [1] + stride(from: 255, through: 0, by: -1).map { UInt8($0) }

    /// The lengths and contents of blocks that, written one after the other, are the packet and the run behind it; `nil` for
    /// a packet that would end the extension in its middle.
    static func blocks(of packet: Bytes) -> [ArraySlice<UInt8>]? {
        let content = packet.array + trailer
        guard !packet.isEmpty, !content.dropLast(1).contains(0) else { return nil }
        var blocks: [ArraySlice<UInt8>] = []
        var position = 0
        while position < content.count {
            let start = position + 1
            position = start + Int(content[position])
            blocks.append(content[start..<min(position, content.count)])
        }
        return blocks
    }

    /// Where the packet of an extension is, `nil` for another extension.
    ///
    /// - Parameters:
    ///   - start: where the extension begins.
    ///   - end: where its last block is, which is empty.
    static func packet(_ bytes: BoundedBytes, from start: Int, to end: Int) -> Range<Int>? {
        let (content, last) = (start + 14, end - trailer.count)
        guard bytes[start + 1] == 0xFF, bytes[start + 2] == 11, bytes.has("XMP DataXMP", at: start + 3), content < last,
            bytes[last] == 1, bytes[last + 1] == 255
        else { return nil }
        return content..<last
    }
}
#endif
