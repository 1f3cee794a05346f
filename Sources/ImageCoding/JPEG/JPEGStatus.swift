#if JPEG
import CJPEGShim

extension CodingError {
    /// What the library said, in our terms and in its own words.
    init(jpeg status: cjpeg_status, _ message: cjpeg_message, whileEncoding: Bool) {
        let (code, sentence): (Code, String) =
            switch status {
            case CJPEG_TRUNCATED: (.truncated, "The JPEG ends early")
            case CJPEG_UNSUPPORTED: (.unsupportedFeature, "The JPEG uses a feature that is not supported")
            case CJPEG_SIDE_TOO_LONG: (whileEncoding ? .encodingFailed : .sideTooLong, "A side is too long for JPEG")
            case CJPEG_TOO_COMPLEX: (.tooComplex, "The JPEG takes too much work or memory")
            case CJPEG_NO_MEMORY: (.outOfMemory, "There is no memory for the JPEG")
            case CJPEG_CANCELLED: (.cancelled, "The decode was cancelled")
            default:
                whileEncoding ? (.encodingFailed, "The JPEG was not made") : (.malformed, "The JPEG is damaged")
            }
        self.init(code, "\(sentence): \(message.sentence).", format: .jpeg)
    }
}

extension cjpeg_message {
    /// The text, which ends at its first zero byte, and the library's number for it.
    fileprivate var sentence: String {
        let text = withUnsafeBytes(of: text) { bytes in
            String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
        }
        return code == 0 ? text : "\(text) (libjpeg message \(code))"
    }
}

extension CodecLibrary {
    /// libjpeg-turbo cannot be asked for its release while it runs, only for the revision of the libjpeg interface that
    /// it speaks. The release is the one of the headers that this was compiled with; both are told.
    static var jpeg: CodecLibrary {
        let interface = String(cString: cjpeg_interface_version()).prefix { $0 != " " }
        let headers = String(cString: cjpeg_header_version())
        return CodecLibrary(name: "libjpeg-turbo", version: "\(headers) headers, interface \(interface)")
    }
}
#endif
