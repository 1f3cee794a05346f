import WebImage

extension ImageError {
    /// What went wrong with a source's bytes, its pixels or the file that is written, with its own code and sentence.
    init(_ error: any Error, stage: Stage, _ source: Source) {
        switch error {
        case let error as ImageError:
            self = error
        case let error as CodingError:
            self.init(
                Code(rawValue: error.code.rawValue), stage: stage, message: error.message, redactedURL: source.text,
                isRetryable: error.code == .outOfMemory, underlying: error)
        case let error as ProcessingError:
            self.init(
                Code(rawValue: error.code.rawValue), stage: .process, message: error.message,
                redactedURL: source.text,
                isRetryable: error.code == .outOfMemory, underlying: error)
        case let error as AllocationError:
            self.init(
                .outOfMemory, stage: stage, message: error.description, redactedURL: source.text, isRetryable: true,
                underlying: error)
        case let error as OutputFile.Failure:
            self.init(
                .unwritable, stage: .encode, message: "The picture cannot be written to \(error).",
                redactedURL: source.text, underlying: error)
        default:
            self.init(
                .other, stage: stage, message: "The picture cannot be made: \(error)", redactedURL: source.text,
                underlying: error)
        }
    }
}

extension ImageError {
    /// A file would be replaced that is to be loaded.
    static func outputIsSource(_ path: String, _ source: Source) -> ImageError {
        ImageError(
            .outputIsSource, stage: .encode,
            message: "\(path) is a source itself, and is not replaced; name another folder or file.",
            redactedURL: source.text)
    }

    /// A file would be replaced that is there already.
    static func outputExists(_ path: String, _ source: Source) -> ImageError {
        ImageError(
            .outputExists, stage: .encode, message: "\(path) is there already; --overwrite replaces it.",
            redactedURL: source.text)
    }
}

extension ImageError.Code {
    /// An output file is there already, and may not be replaced.
    static let outputExists = ImageError.Code(rawValue: "outputExists")
    /// An output file is one of the sources.
    static let outputIsSource = ImageError.Code(rawValue: "outputIsSource")
    /// An output file cannot be written.
    static let unwritable = ImageError.Code(rawValue: "unwritable")
}
