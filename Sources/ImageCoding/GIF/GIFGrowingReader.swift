#if GIF
import CGIF
import Pixels

/// A run of giflib over a file that is still coming.
///
/// giflib cannot wait for more: a read that gets too little ends it. So a row is asked for only when the longest that its
/// codes can be has come, which is never more than one and a half bytes for each of its pixels. Nothing is read twice.
final class GIFGrowingReader {
    let reader: GIFReader
    private let source: UnsafeMutablePointer<GIFReader.Source>
    private let file: UnsafeMutablePointer<GifFileType>
    /// Where the next block of pixels is, from its length on; all before it have come whole.
    private var nextBlock: Int
    private var hasEnd = false

    /// Reads up to the first picture's pixels.
    ///
    /// - Parameters:
    ///   - bytes: with everything in front of the pixels, the length of their first code included.
    ///   - firstBlock: where the pixels begin.
    init(_ bytes: UnsafeRawBufferPointer, firstBlock: Int) throws(CodingError) {
        let source = UnsafeMutablePointer<GIFReader.Source>.allocate(capacity: 1)
        source.initialize(to: GIFReader.Source(bytes))
        var opened: UnsafeMutablePointer<GifFileType>?
        do {
            let file = try GIFReader.open(source)
            opened = file
            reader = try GIFReader(file, source, transparentIndex: nil)
            self.file = file
        } catch {
            if let opened { DGifCloseFile(opened, nil) }
            source.deinitialize(count: 1)
            source.deallocate()
            throw error
        }
        self.source = source
        nextBlock = firstBlock
    }

    deinit {
        DGifCloseFile(file, nil)
        source.deinitialize(count: 1)
        source.deallocate()
    }

    /// Takes all bytes that have come. Rows may be read until the call ends.
    func grow(to bytes: UnsafeRawBufferPointer) {
        source.pointee.grow(to: bytes)
        let bytes = BoundedBytes(bytes)
        while !hasEnd, let length = bytes[nextBlock] {
            guard length > 0 else {
                hasEnd = true
                return
            }
            guard nextBlock + Int(length) < bytes.count else { return }
            nextBlock += 1 + Int(length)
        }
    }

    /// The next row can be read: its bytes have come, or there are no more.
    var hasRow: Bool { hasEnd || nextBlock - source.pointee.position >= Self.mostBytes(reader.place.width) }

    /// The most bytes that the codes of a row are spread over.
    ///
    /// A code has at most 12 bits and stands for a pixel at least, except for one that clears the table, which comes once
    /// in thousands. Each block of up to 255 bytes has one for its length.
    private static func mostBytes(_ width: Int) -> Int {
        let codes = (width + 2) * 12 / 8 + 1
        return codes + codes / 255 + 2
    }
}
#endif
