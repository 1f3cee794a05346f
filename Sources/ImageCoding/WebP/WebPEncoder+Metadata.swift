#if WebP
import ByteBuffers
import CWebP

extension WebPEncoder {
    /// The file with EXIF, XMP and a profile beside the picture; as it is when there are none.
    ///
    /// - Throws: ``CodingError``.
    static func adding(_ options: EncodeOptions, to encoded: Bytes) throws(CodingError) -> Bytes {
        let chunks = [
            ("ICCP", try options.profile(for: .webp)), ("EXIF", options.exif()), ("XMP ", options.xmp),
        ].compactMap { name, content in content.map { (name, $0) } }
        guard !chunks.isEmpty else { return encoded }
        return try encoded.withUnsafeBytes { picture throws(CodingError) in
            var data = WebPData(bytes: picture.baseAddress?.assumingMemoryBound(to: UInt8.self), size: picture.count)
            // Nothing is copied: the bytes outlive the container.
            guard let mux = WebPMuxCreate(&data, 0) else {
                throw CodingError(.encodingFailed, "libwebp cannot read what it wrote.", format: .webp)
            }
            defer { WebPMuxDelete(mux) }
            for (name, content) in chunks {
                try check(
                    content.withUnsafeBytes { content in
                        var chunk = WebPData(
                            bytes: content.baseAddress?.assumingMemoryBound(to: UInt8.self), size: content.count)
                        // Here it is copied.
                        return WebPMuxSetChunk(mux, name, &chunk, 1)
                    })
            }
            var whole = WebPData()
            defer { WebPDataClear(&whole) }
            try check(WebPMuxAssemble(mux, &whole))
            do {
                return try Bytes(copying: UnsafeRawBufferPointer(start: whole.bytes, count: whole.size))
            } catch {
                throw CodingError(.outOfMemory, "There is no memory to encode the WebP.", format: .webp)
            }
        }
    }

    private static func check(_ status: WebPMuxError) throws(CodingError) {
        switch status {
        case WEBP_MUX_OK: return
        case WEBP_MUX_MEMORY_ERROR:
            throw CodingError(.outOfMemory, "There is no memory to encode the WebP.", format: .webp)
        default:
            throw CodingError(
                .encodingFailed, "libwebp refused what stands beside the picture: its error is \(status.rawValue).",
                format: .webp)
        }
    }
}
#endif
