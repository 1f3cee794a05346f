import ByteBuffers
import ImageCoding
import ImageFetching
import ImageProcessing
import Pixels

extension ImageError {
    /// Brings an error of a lower layer up, with its own code and sentence.
    init(_ error: any Error, stage: Stage, _ request: ImageRequest) {
        let redactedURL = request.url.redacted
        switch error {
        case let error as ImageError:
            self = error
        case let error as FetchError:
            self.init(
                Code(rawValue: error.code.rawValue), stage: .fetch, message: error.message, redactedURL: redactedURL,
                isRetryable: error.isRetryable, statusCode: error.statusCode, underlying: error)
        case let error as CodingError:
            self.init(
                Code(rawValue: error.code.rawValue), stage: stage, message: error.message, redactedURL: redactedURL,
                isRetryable: error.code == .outOfMemory, underlying: error)
        case let error as ProcessingError:
            self.init(
                Code(rawValue: error.code.rawValue), stage: .process, message: error.message,
                redactedURL: redactedURL,
                isRetryable: error.code == .outOfMemory, underlying: error)
        case let error as AllocationError:
            self.init(
                .outOfMemory, stage: stage, message: error.description, redactedURL: redactedURL, isRetryable: true,
                underlying: error)
        default:
            self.init(
                .other, stage: stage, message: "A part of the pipeline failed: \(error)", redactedURL: redactedURL,
                underlying: error)
        }
    }

    static func cancelled(_ request: ImageRequest) -> ImageError {
        ImageError(
            .cancelled, stage: .request, message: "The load was cancelled.", redactedURL: request.url.redacted)
    }

    static func invalidTarget(_ target: TargetSize, _ request: ImageRequest) -> ImageError {
        let sides = "\(target.width.map(String.init) ?? "–") × \(target.height.map(String.init) ?? "–")"
        return ImageError(
            .invalidRequest, stage: .request,
            message: "The wanted size \(sides) has no side from 1 to \(TargetSize.maximumSide) pixels.",
            redactedURL: request.url.redacted)
    }
}

extension CodingError {
    /// The bytes themselves are wrong, whatever is asked of them.
    var isAboutTheBytes: Bool {
        [.empty, .notAnImage, .truncated, .malformed].contains(code)
    }
}
