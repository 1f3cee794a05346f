#if PNG
import CPNGShim
import CPNGStream
import Pixels

/// The faster inflate over the packed pixels of a plain picture, 8-bit RGB or RGBA, that come in portions.
final class PNGPushStream {
    private let handle: OpaquePointer

    /// - Parameter packed: the first bytes that are packed.
    /// - Returns: `nil` for a picture, or a way of packing, that is left to libpng.
    init?(_ header: cpng_header, packed: UnsafeRawBufferPointer) {
        guard header.plain_channels != 0, header.is_interlaced == 0, packed.count >= 2,
            let start = packed.baseAddress?.assumingMemoryBound(to: UInt8.self),
            let handle = cpng_stream_create_empty(start, header.width, header.height, header.plain_channels)
        else { return nil }
        self.handle = handle
    }

    deinit { cpng_stream_destroy(handle) }

    /// Hands over the next packed bytes, of which ``read(_:into:)`` has to take all that it can before they go.
    func push(_ bytes: UnsafeRawBufferPointer) {
        cpng_stream_push(handle, bytes.baseAddress, UInt32(clamping: bytes.count))
    }

    /// - Returns: how many rows were made, with straight alpha; fewer than asked for when more bytes have to come.
    func read(_ count: Int, into strip: RowStrip) throws(CodingError) -> Int {
        var made: UInt32 = 0
        guard
            cpng_stream_read_pushed(handle, strip.base, strip.bytesPerRow, UInt32(clamping: count), &made) != 0
        else {
            throw CodingError(.malformed, "The PNG is damaged: its pixels cannot be unpacked.", format: .png)
        }
        return Int(made)
    }
}
#endif
