import WebImage

/// Where one picture goes, and as what.
enum OutputPlace: Sendable, Hashable {
    /// It is loaded, and not written.
    case nowhere
    case standardOutput(ImageFormat)
    case file(String, ImageFormat)
    /// A file whose format goes by its picture; its path without the extension.
    case byPicture(String)

    /// PNG where there is alpha, else JPEG, for whatever goes by its picture.
    func decided(hasAlpha: Bool) -> OutputPlace {
        guard case .byPicture(let stem) = self else { return self }
        let format = hasAlpha ? ImageFormat.png : .jpeg
        return .file("\(stem).\(format.fileExtension)", format)
    }

    /// As reports say it; nil where nothing is written, and for what goes by its picture.
    var name: String? {
        switch self {
        case .nowhere, .byPicture: nil
        case .standardOutput: "-"
        case .file(let path, _): path
        }
    }

    /// Nil where nothing is written, and for what goes by its picture.
    var format: ImageFormat? {
        switch self {
        case .nowhere, .byPicture: nil
        case .standardOutput(let format), .file(_, let format): format
        }
    }
}
