#if HEIF
import CHEIF

/// libheif's results as errors.
enum HEIFStatus {
    static func check(_ status: heif_error, _ format: ImageFormat) throws(CodingError) {
        guard status.code != heif_error_Ok else { return }
        let text = text(status)
        if status.subcode == heif_suberror_End_of_data {
            throw CodingError(.truncated, "The HEIF ends before the picture does: \(text).", format: format)
        }
        if status.subcode == heif_suberror_Security_limit_exceeded {
            throw CodingError(.tooComplex, "libheif refuses to decode so much: \(text).", format: format)
        }
        switch status.code {
        case heif_error_Memory_allocation_error:
            throw CodingError(.outOfMemory, "There is no memory to decode the HEIF.", format: format)
        case heif_error_Unsupported_feature, heif_error_Unsupported_filetype, heif_error_Plugin_loading_error:
            throw CodingError(.unsupportedFeature, "libheif does not support this HEIF: \(text).", format: format)
        default:
            throw CodingError(.malformed, "The HEIF is damaged: \(text).", format: format)
        }
    }

    /// libheif's own sentence, without its full stop.
    static func text(_ status: heif_error) -> String {
        let text = status.message.map { String(cString: $0) } ?? "error \(status.code.rawValue)"
        return text.hasSuffix(".") ? String(text.dropLast()) : text
    }

    static var library: CodecLibrary { CodecLibrary(name: "libheif", version: String(cString: heif_get_version())) }
}
#endif
