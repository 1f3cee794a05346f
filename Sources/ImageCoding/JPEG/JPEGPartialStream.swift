#if JPEG
import CJPEGShim
import Pixels

/// The library's side of a picture that is still coming.
final class JPEGPartialStream {
    private let handle: OpaquePointer

    init() throws(CodingError) {
        guard let handle = cjpeg_partial_create() else {
            throw CodingError(.outOfMemory, "There is no memory for a JPEG decoder.", format: .jpeg)
        }
        self.handle = handle
    }

    deinit { cjpeg_partial_destroy(handle) }

    /// Whether there are several scans, each of which covers all of the picture. Known after the start.
    var hasPasses: Bool { cjpeg_partial_has_passes(handle) != 0 }

    /// - Returns: whether all of the header has come.
    func readHeader(_ bytes: UnsafeRawBufferPointer) throws(CodingError) -> Bool {
        var isThere: Int32 = 0
        try check(cjpeg_partial_read_header(handle, bytes.start, bytes.count, &isThere))
        return isThere != 0
    }

    /// - Returns: the size of the rows to come.
    func start(scale: DCTScale, layout: SampleLayout, maxScans: Int) throws(CodingError) -> PixelSize {
        var output = cjpeg_header()
        var request = cjpeg_request(
            scale_eighths: UInt32(scale.rawValue), is_gray: layout.isGray ? 1 : 0, smooths_blocks: 1,
            max_scans: Int32(clamping: maxScans),
            max_memory: JPEGDecompressor.memoryLimit, should_continue: { _ in 1 }, context: nil)
        try check(cjpeg_partial_start(handle, &request, &output))
        return PixelSize(width: Int(output.width), height: Int(output.height))
    }

    /// - Returns: how many scans are whole.
    func takeScans(_ bytes: UnsafeRawBufferPointer) throws(CodingError) -> Int {
        var scans: Int32 = 0
        try check(cjpeg_partial_take_scans(handle, bytes.start, bytes.count, &scans))
        return Int(scans)
    }

    func beginPass(after scans: Int) throws(CodingError) {
        try check(cjpeg_partial_begin_pass(handle, Int32(clamping: scans)))
    }

    /// - Returns: how many rows there were.
    func readPass(_ count: Int, into strip: RowStrip) throws(CodingError) -> Int {
        var made: UInt32 = 0
        try check(
            cjpeg_partial_read_pass(
                handle, strip.base.assumingMemoryBound(to: UInt8.self), strip.bytesPerRow, UInt32(count), &made))
        return Int(made)
    }

    /// - Returns: how many rows have come.
    func readBand(_ bytes: UnsafeRawBufferPointer, _ count: Int, into strip: RowStrip) throws(CodingError) -> Int {
        var made: UInt32 = 0
        try check(
            cjpeg_partial_read_band(
                handle, bytes.start, bytes.count, strip.base.assumingMemoryBound(to: UInt8.self), strip.bytesPerRow,
                UInt32(count), &made))
        return Int(made)
    }

    private func check(_ status: cjpeg_status) throws(CodingError) {
        guard status != CJPEG_OK, let message = cjpeg_partial_message(handle) else { return }
        throw CodingError(jpeg: status, message.pointee, whileEncoding: false)
    }
}

extension UnsafeRawBufferPointer {
    fileprivate var start: UnsafePointer<UInt8>? { baseAddress?.assumingMemoryBound(to: UInt8.self) }
}
#endif
