/// Reads numbers and signatures out of bytes from outside; every read says `nil` or `false` instead of passing the end.
struct BoundedBytes {
    let bytes: UnsafeRawBufferPointer

    init(_ bytes: UnsafeRawBufferPointer) {
        self.bytes = bytes
    }

    var count: Int { bytes.count }

    /// `count` bytes from `offset` are there. Neither number has to be sensible.
    private func holds(_ count: Int, at offset: Int) -> Bool {
        offset >= 0 && offset <= bytes.count && count <= bytes.count - offset
    }

    subscript(offset: Int) -> UInt8? {
        holds(1, at: offset) ? bytes[offset] : nil
    }

    func bigEndian16(at offset: Int) -> Int? {
        load(UInt16.self, at: offset).map { Int(UInt16(bigEndian: $0)) }
    }

    func bigEndian32(at offset: Int) -> Int? {
        load(UInt32.self, at: offset).map { Int(UInt32(bigEndian: $0)) }
    }

    func bigEndian64(at offset: Int) -> UInt64? {
        load(UInt64.self, at: offset).map(UInt64.init(bigEndian:))
    }

    func littleEndian16(at offset: Int) -> Int? {
        load(UInt16.self, at: offset).map { Int(UInt16(littleEndian: $0)) }
    }

    func littleEndian32(at offset: Int) -> Int? {
        load(UInt32.self, at: offset).map { Int(UInt32(littleEndian: $0)) }
    }

    /// The bytes at `offset` are these characters of ASCII.
    func has(_ text: StaticString, at offset: Int) -> Bool {
        guard holds(text.utf8CodeUnitCount, at: offset) else { return false }
        return text.withUTF8Buffer { zip($0, bytes[offset...]).allSatisfy { $0 == $1 } }
    }

    /// The bytes from the start are these.
    func starts(with signature: [UInt8]) -> Bool {
        bytes.count >= signature.count && bytes.starts(with: signature)
    }

    /// A part of the bytes, cut to what there is.
    func slice(_ range: Range<Int>) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(rebasing: bytes[range.clamped(to: 0..<bytes.count)])
    }

    private func load<Number: FixedWidthInteger & BitwiseCopyable>(_: Number.Type, at offset: Int) -> Number? {
        guard holds(MemoryLayout<Number>.size, at: offset) else { return nil }
        return bytes.loadUnaligned(fromByteOffset: offset, as: Number.self)
    }
}
