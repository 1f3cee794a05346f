#if PNG
import ByteBuffers
import CPNGStream

/// Writes chunks one after the other, each with its length and its check sum (PNG 3rd ed. §5.3).
struct PNGChunkWriter: ~Copyable {
    private var bytes: ByteAccumulator

    /// Begins with PNG's signature.
    ///
    /// - Parameter limit: the most bytes that are written.
    init(limit: Int, expected: Int = 0) throws {
        bytes = ByteAccumulator(limit: limit, expected: expected)
        try PNGChunks.signature.withUnsafeBytes { try bytes.append($0) }
    }

    /// Copies a whole chunk, from its length to its check sum.
    mutating func copy(_ chunk: UnsafeRawBufferPointer) throws {
        try bytes.append(chunk)
    }

    /// Writes a chunk whose content comes in pieces.
    mutating func write(_ type: PNGChunks.ChunkType, pieces: [UnsafeRawBufferPointer]) throws {
        let length = pieces.reduce(0) { $0 + $1.count }
        guard length <= 0x7FFF_FFFF else {
            throw CodingError(.encodingFailed, "A PNG's chunk may have at most 2147483647 bytes.", format: .png)
        }
        try append(UInt32(length))
        try append(UInt32(type.name))
        var checksum = withUnsafeBytes(of: UInt32(type.name).bigEndian) {
            cpng_stream_checksum(0, $0.baseAddress, $0.count)
        }
        for piece in pieces {
            checksum = cpng_stream_checksum(checksum, piece.baseAddress, piece.count)
            try bytes.append(piece)
        }
        try append(checksum)
    }

    mutating func write(_ type: PNGChunks.ChunkType, bytes content: [UInt8] = []) throws {
        try content.withUnsafeBytes { try write(type, pieces: [$0]) }
    }

    consuming func finish() -> Bytes { bytes.finish() }

    private mutating func append(_ number: UInt32) throws {
        try withUnsafeBytes(of: number.bigEndian) { try bytes.append($0) }
    }
}
#endif
