#if WebP
import CWebP
import Pixels

/// A run of libwebp over a frame that is still coming.
///
/// With loss libwebp goes on where it was. Without, it repeats up to eight rows each time, and the tables in front of the
/// rows as long as they have not come whole. So it gets bytes in eighths of the frame, and before the first row only when
/// there are twice as many: all repetitions together cost less than a decode.
final class WebPGrowingFrame {
    /// Room for all rows, as straight RGBA.
    let rows: RowRoom
    private let format: ImageFormat
    private let byteCount: Int
    private let config: UnsafeMutablePointer<WebPDecoderConfig>
    private let decoder: OpaquePointer
    /// How many rows have come.
    private(set) var rowCount = 0
    /// How often libwebp got bytes.
    private(set) var feeds = 0
    private var nextFeed = 1

    /// - Parameter byteCount: how long the frame is going to be, as the file says.
    init(_ frame: WebPFrame, scaledTo size: PixelSize, byteCount: Int, format: ImageFormat) throws(CodingError) {
        rows = try RowRoom(size.height, of: size.width, .rgba8)
        self.format = format
        self.byteCount = byteCount
        config = .allocate(capacity: 1)
        var initial = WebPDecoderConfig()
        do {
            initial = try frame.config(scaledTo: size, into: rows.strip)
        } catch {
            config.deallocate()
            throw error
        }
        config.initialize(to: initial)
        guard let decoder = WebPIDecode(nil, 0, config) else {
            config.deallocate()
            throw CodingError(.outOfMemory, "There is no memory to decode the WebP.", format: format)
        }
        self.decoder = decoder
    }

    deinit {
        WebPIDelete(decoder)
        WebPFreeDecBuffer(&config.pointee.output)
        config.deallocate()
    }

    /// Decodes the rows that have come, if enough is new.
    ///
    /// - Parameter bytes: of the frame, all that there are.
    func grow(to bytes: UnsafeRawBufferPointer) throws(CodingError) {
        let count = min(bytes.count, byteCount)
        guard count >= nextFeed else { return }
        feeds += 1
        let status = WebPIUpdate(decoder, bytes.baseAddress?.assumingMemoryBound(to: UInt8.self), count)
        if status != VP8_STATUS_SUSPENDED, status != VP8_STATUS_NOT_ENOUGH_DATA {
            try WebPFrame.check(status, format)
        }
        var newest: Int32 = 0
        if WebPIDecGetRGB(decoder, &newest, nil, nil, nil) != nil {
            rowCount = max(rowCount, min(Int(newest), rows.strip.rowCount))
        }
        let step = rowCount == 0 ? count : max(1, byteCount / 8)
        // The last bytes are always worth it.
        nextFeed = count < byteCount ? min(count + step, byteCount) : .max
    }
}
#endif
