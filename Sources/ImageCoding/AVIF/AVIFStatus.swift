#if AVIF
import CAVIF

/// libavif's results as errors.
enum AVIFStatus {
    static func check(_ status: avifResult) throws(CodingError) {
        guard status == AVIF_RESULT_OK else { throw error(status, avifDiagnostics()) }
    }

    static func error(_ status: avifResult, _ diagnostics: avifDiagnostics) -> CodingError {
        let text = text(status, diagnostics)
        // Such a track counts as damaged, but the sentence tells.
        if text.contains("imageCountLimit") {
            return CodingError(.tooManyFrames, "The AVIF has more frames than are allowed: \(text).", format: .avif)
        }
        return switch status {
        case AVIF_RESULT_TRUNCATED_DATA, AVIF_RESULT_IO_ERROR, AVIF_RESULT_WAITING_ON_IO:
            CodingError(.truncated, "The AVIF ends before the picture does: \(text).", format: .avif)
        case AVIF_RESULT_OUT_OF_MEMORY:
            CodingError(.outOfMemory, "There is no memory for the AVIF.", format: .avif)
        case AVIF_RESULT_NO_CODEC_AVAILABLE:
            CodingError(.unsupportedFeature, "libavif has no AV1 codec for this: \(text).", format: .avif)
        case AVIF_RESULT_NOT_IMPLEMENTED, AVIF_RESULT_UNSUPPORTED_DEPTH:
            CodingError(.unsupportedFeature, "libavif does not support this AVIF: \(text).", format: .avif)
        default:
            CodingError(.malformed, "The AVIF is damaged: \(text).", format: .avif)
        }
    }

    /// libavif's name for the result, and the sentence that it left, if any.
    static func text(_ status: avifResult, _ diagnostics: avifDiagnostics) -> String {
        let name = avifResultToString(status).map { String(cString: $0) } ?? "\(status.rawValue)"
        let sentence = withUnsafeBytes(of: diagnostics.error) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
        return sentence.isEmpty ? name : "\(name): \(sentence)"
    }
}
#endif
