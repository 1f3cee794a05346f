#if GIF
import ByteBuffers
import CGIF
import Pixels

/// One run of giflib that writes a file; lives only inside ``write(size:loopCount:_:)``.
struct GIFWriter {
    private let file: UnsafeMutablePointer<GifFileType>

    /// What giflib writes into.
    private final class Output {
        var bytes = ByteAccumulator(limit: .max)
        var failure: (any Error)?
    }

    /// - Parameter loopCount: how often the pictures are shown in all, 0 for ever.
    static func write(size: PixelSize, loopCount: Int, _ body: (GIFWriter) throws -> Void) throws -> Bytes {
        let output = Output()
        var code: Int32 = 0
        let write: OutputFunc = { file, source, count in
            guard let source, count > 0, let output = file?.pointee.UserData else { return 0 }
            let target = Unmanaged<Output>.fromOpaque(output).takeUnretainedValue()
            do {
                try target.bytes.append(UnsafeRawBufferPointer(start: source, count: Int(count)))
                return count
            } catch {
                target.failure = error
                return 0
            }
        }
        guard let file = EGifOpen(Unmanaged.passUnretained(output).toOpaque(), write, &code) else {
            throw error(code)
        }
        do {
            EGifSetGifVersion(file, true)
            let writer = GIFWriter(file: file)
            try writer.check(EGifPutScreenDesc(file, Int32(size.width), Int32(size.height), 8, 0, nil))
            if loopCount != 1 { try writer.writeLoopCount(loopCount) }
            try body(writer)
        } catch {
            EGifCloseFile(file, nil)
            throw output.failure ?? error
        }
        // Writes the trailer.
        guard EGifCloseFile(file, &code) == GIF_OK else { throw output.failure ?? error(code) }
        return withExtendedLifetime(output) {
            var bytes = ByteAccumulator(limit: 0)
            swap(&bytes, &output.bytes)
            return bytes.finish()
        }
    }

    /// Writes one frame.
    ///
    /// - Parameters:
    ///   - pixels: all of them in one row, 0 for those that are left alone.
    ///   - delay: in hundredths of a second.
    ///   - isCleared: the frame's place becomes transparent afterwards.
    func writeFrame(_ pixels: Bitmap, at place: PixelRect, delay: Int, isCleared: Bool, isDithered: Bool) throws {
        try pixels.withUnsafeBytes { bytes in
            let pixels = UnsafeBufferPointer(rebasing: bytes.bindMemory(to: UInt32.self)[..<pixels.width])
            var quantizer = ColorQuantizer(pixels)
            let indices = try RegionPool.shared.allocate(byteCount: pixels.count)
            defer { RegionPool.shared.release(indices) }
            let target = indices.base.assumingMemoryBound(to: UInt8.self)
            quantizer.map(pixels, width: place.width, isDithered: isDithered, into: target)

            try writeControl(delay: delay, disposal: isCleared ? 2 : 1, transparent: quantizer.transparentIndex)
            let colors = try colorMap(quantizer.palette, isOneMore: quantizer.transparentIndex != nil)
            defer { GifFreeMapObject(colors) }
            try check(
                EGifPutImageDesc(
                    file, Int32(place.x), Int32(place.y), Int32(place.width), Int32(place.height), false, colors))
            for row in 0..<place.height {
                try check(EGifPutLine(file, target + row * place.width, Int32(place.width)))
            }
        }
    }

    func write(xmp packet: Bytes) throws {
        guard let blocks = GIFMetadata.blocks(of: packet) else { return }
        try check(EGifPutExtensionLeader(file, Int32(APPLICATION_EXT_FUNC_CODE)))
        try check(EGifPutExtensionBlock(file, Int32(GIFMetadata.name.count), GIFMetadata.name))
        for block in blocks {
            try block.withUnsafeBufferPointer {
                try check(EGifPutExtensionBlock(file, Int32($0.count), $0.baseAddress))
            }
        }
        try check(EGifPutExtensionTrailer(file))
    }

    private func writeLoopCount(_ count: Int) throws {
        // The first time is not counted, see `GIFDecoder.frames(of:options:)`.
        let repetitions = count == 0 ? 0 : min(count - 1, 0xFFFF)
        let name = Array("NETSCAPE2.0".utf8)
        let block: [UInt8] = [1, UInt8(repetitions & 0xFF), UInt8(repetitions >> 8)]
        try check(EGifPutExtensionLeader(file, Int32(APPLICATION_EXT_FUNC_CODE)))
        try check(EGifPutExtensionBlock(file, Int32(name.count), name))
        try check(EGifPutExtensionBlock(file, Int32(block.count), block))
        try check(EGifPutExtensionTrailer(file))
    }

    private func writeControl(delay: Int, disposal: UInt8, transparent: UInt8?) throws {
        let flags = disposal << 2 | (transparent == nil ? 0 : 1)
        let block = [flags, UInt8(delay & 0xFF), UInt8(delay >> 8), transparent ?? 0]
        try check(EGifPutExtension(file, Int32(GRAPHICS_EXT_FUNC_CODE), Int32(block.count), block))
    }

    /// - Parameter isOneMore: there is an index behind the colours.
    private func colorMap(
        _ palette: [UInt32], isOneMore: Bool
    ) throws(CodingError) -> UnsafeMutablePointer<ColorMapObject> {
        // A power of two, and never fewer than two.
        let wanted = max(2, palette.count + (isOneMore ? 1 : 0))
        let bits = Int.bitWidth - (wanted - 1).leadingZeroBitCount
        guard let map = GifMakeMapObject(1 << Int32(bits), nil) else {
            throw CodingError(.outOfMemory, "There is no memory to encode the GIF.", format: .gif)
        }
        for (index, color) in palette.enumerated() {
            map.pointee.Colors[index] = GifColorType(
                Red: UInt8(color & 0xFF), Green: UInt8(color >> 8 & 0xFF), Blue: UInt8(color >> 16 & 0xFF))
        }
        return map
    }

    private func check(_ status: Int32) throws(CodingError) {
        guard status == GIF_OK else { throw Self.error(file.pointee.Error) }
    }

    private static func error(_ code: Int32) -> CodingError {
        if code == E_GIF_ERR_NOT_ENOUGH_MEM {
            return CodingError(.outOfMemory, "There is no memory to encode the GIF.", format: .gif)
        }
        let message = GifErrorString(code).map { String(cString: $0) } ?? "giflib's error is \(code)"
        return CodingError(.encodingFailed, "giflib refused the picture: \(message).", format: .gif)
    }
}
#endif
