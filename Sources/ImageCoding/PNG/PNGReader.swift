#if PNG
import CPNGShim
import Pixels

/// One run of libpng over some bytes; lives only inside ``withReader(of:_:)``.
struct PNGReader {
    private let handle: OpaquePointer
    let header: cpng_header

    /// Opens a picture and reads up to its pixels.
    static func withReader<Result>(
        of bytes: UnsafeRawBufferPointer, layout: SampleLayout, limits: DecodeLimits,
        _ body: (PNGReader) throws -> Result
    ) throws -> Result {
        guard let handle = cpng_reader_create(bytes.baseAddress, bytes.count) else {
            throw CodingError(.outOfMemory, "There is no memory to open the PNG.", format: .png)
        }
        defer { cpng_reader_destroy(handle) }
        return try body(PNGReader(handle, layout, limits: limits))
    }

    /// No chunk that is read needs more: the largest is a palette of 768 bytes.
    private static let chunkMemory = 1 << 20

    private init(_ handle: OpaquePointer, _ layout: SampleLayout, limits: DecodeLimits) throws(CodingError) {
        self.handle = handle
        var header = cpng_header()
        let wanted = cpng_layout(
            keeps_16: layout.component == .uint16 ? 1 : 0, keeps_gray: layout.isGray ? 1 : 0)
        let status = cpng_reader_read_header(handle, Self.longestSide(limits), Self.chunkMemory, wanted, &header)
        self.header = header
        try check(status)
    }

    func readRows(into base: UnsafeMutableRawPointer, bytesPerRow: Int, count: Int) throws(CodingError) {
        try check(cpng_reader_read_rows(handle, base, bytesPerRow, UInt32(clamping: count)))
    }

    private func check(_ status: cpng_status) throws(CodingError) {
        try Self.check(status, cpng_reader_message(handle))
    }

    /// The longest side that libpng may take.
    static func longestSide(_ limits: DecodeLimits) -> UInt32 {
        UInt32(clamping: min(max(limits.maxSide, 1), 0x7FFF_FFFF))
    }

    /// - Parameter message: libpng's own, of a failure.
    static func check(_ status: cpng_status, _ message: UnsafePointer<CChar>?) throws(CodingError) {
        switch status {
        case CPNG_OK: return
        case CPNG_TRUNCATED:
            throw CodingError(.truncated, "The PNG ends before the picture does.", format: .png)
        case CPNG_NO_MEMORY:
            throw CodingError(.outOfMemory, "There is no memory to decode the PNG.", format: .png)
        default:
            let message = message.map { String(cString: $0) } ?? "libpng does not say why"
            throw CodingError(.malformed, "The PNG is damaged: \(message).", format: .png)
        }
    }
}
#endif
