import WebImage

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension Source {
    /// The address of the web that a path looks like whose scheme was forgotten, `example.com/a.jpg`, or lost its slashes,
    /// `http:/x`. `nil` for a path that could be nothing else.
    var likelyAddress: String? {
        guard url?.isFileURL == true, !text.contains("://") else { return nil }
        for scheme in ["http", "https"] where text.lowercased().hasPrefix("\(scheme):") {
            let rest = text.dropFirst(scheme.count + 1).drop { $0 == "/" }
            return rest.isEmpty ? nil : "\(scheme)://\(rest)"
        }
        guard let slash = text.firstIndex(of: "/") else { return nil }
        let place = text[..<slash].split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        guard let host = place.first, place.count == 1 || UInt16(place[1]) != nil else { return nil }
        let labels = host.split(separator: ".", omittingEmptySubsequences: false)
        // Certificates are for names of the web.
        if host == "localhost" || Self.isNumber(labels) { return "http://\(text)" }
        let isName = labels.allSatisfy { label in
            !label.isEmpty && label.utf8.allSatisfy { $0 == 0x2D || $0 >= 0x80 || Self.isLetterOrDigit($0) }
        }
        guard isName, labels.count > 1, let top = labels.last, top.count > 1, top.allSatisfy(\.isLetter) else {
            return nil
        }
        return "https://\(text)"
    }

    /// Whether the parts of a host are an address of IP version 4.
    private static func isNumber(_ labels: [Substring]) -> Bool {
        labels.count == 4
            && labels.allSatisfy { label in
                label.utf8.allSatisfy { (0x30...0x39).contains($0) } && UInt8(label) != nil
            }
    }

    /// An error with what the one who typed this may have meant.
    func explained(_ error: ImageError) -> ImageError {
        guard error.code == .fileNotFound, let likelyAddress else { return error }
        return ImageError(
            error.code, stage: error.stage, message: "\(error.message) Did you mean \(likelyAddress)?",
            redactedURL: error.redactedURL, isRetryable: error.isRetryable, underlying: error.underlying)
    }

    private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: false
        }
    }
}

extension ImageError {
    static func unreadable(_ source: Source) -> ImageError {
        ImageError(
            .invalidRequest, stage: .request, message: "This is no URL that can be read.", redactedURL: source.text)
    }
}
