#if JPEG
import CJPEGShim
import Pixels

/// One decode by the library. Owns the library's memory; the picture's bytes are the caller's and have to outlive it.
struct JPEGDecompressor: ~Copyable {
    /// Bytes that the library may use, above all for the coefficients of a progressive picture: two bytes a sample.
    static let memoryLimit = 1 << 30

    private let handle: OpaquePointer
    private let segments: UnsafeMutableBufferPointer<cjpeg_segment>

    /// A decoder for a picture that lies in parts of `bytes`.
    init(_ bytes: UnsafeRawBufferPointer, parts: [Range<Int>]) throws(CodingError) {
        guard let handle = cjpeg_decoder_create() else {
            throw CodingError(.outOfMemory, "There is no memory for a JPEG decoder.", format: .jpeg)
        }
        self.handle = handle
        segments = .allocate(capacity: parts.count)
        _ = segments.initialize(
            from: parts.map { part in
                let part = UnsafeRawBufferPointer(rebasing: bytes[part])
                return cjpeg_segment(base: part.bindMemory(to: UInt8.self).baseAddress, count: part.count)
            })
    }

    deinit {
        cjpeg_decoder_destroy(handle)
        segments.deallocate()
    }

    /// Reads up to the first scan.
    ///
    /// - Returns: the stored size.
    func readHeader() throws(CodingError) -> PixelSize {
        var header = cjpeg_header()
        try Self.check(cjpeg_decoder_read_header(handle, segments.baseAddress, segments.count, &header), handle)
        return PixelSize(width: Int(header.width), height: Int(header.height))
    }

    /// Prepares the rows; collects all scans of a picture that has several.
    ///
    /// - Returns: the size of the rows to come.
    func start(
        scale: DCTScale, layout: SampleLayout, smoothsBlocks: Bool, maxScans: Int, options: DecodeOptions
    ) throws(CodingError) -> PixelSize {
        var output = cjpeg_header()
        let status = withUnsafePointer(to: options) { options in
            var request = cjpeg_request(
                scale_eighths: UInt32(scale.rawValue), is_gray: layout.isGray ? 1 : 0,
                smooths_blocks: smoothsBlocks ? 1 : 0,
                max_scans: Int32(clamping: maxScans), max_memory: Self.memoryLimit,
                should_continue: { context in
                    let options = context?.assumingMemoryBound(to: DecodeOptions.self)
                    return options?.pointee.shouldContinue() == true ? 1 : 0
                },
                context: options)
            return cjpeg_decoder_start(handle, &request, &output)
        }
        try Self.check(status, handle)
        return PixelSize(width: Int(output.width), height: Int(output.height))
    }

    /// Writes the next rows into the start of a strip.
    func readRows(_ count: Int, into strip: RowStrip) throws(CodingError) {
        let base = strip.base.assumingMemoryBound(to: UInt8.self)
        try Self.check(cjpeg_decoder_read_rows(handle, base, strip.bytesPerRow, UInt32(count)), handle)
    }

    private static func check(_ status: cjpeg_status, _ handle: OpaquePointer) throws(CodingError) {
        guard status != CJPEG_OK else { return }
        guard let message = cjpeg_decoder_message(handle) else { return }
        throw CodingError(jpeg: status, message.pointee, whileEncoding: false)
    }
}
#endif
