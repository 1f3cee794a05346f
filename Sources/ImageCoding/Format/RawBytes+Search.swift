#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

extension UnsafeRawBufferPointer {
    /// The two-byte number at an offset; `nil` when it does not lie within the bytes.
    func bigEndianShort(at offset: Int) -> Int? {
        guard offset >= 0, offset <= count - 2 else { return nil }
        return Int(self[offset]) << 8 | Int(self[offset + 1])
    }

    /// Where a byte comes next. The search is the C library's, many times faster than a loop.
    func firstOffset(of byte: UInt8, from start: Int) -> Int? {
        guard let base = baseAddress, start < count,
            let found = memchr(base + start, Int32(byte), count - start)
        else { return nil }
        return base.distance(to: UnsafeRawPointer(found))
    }
}
