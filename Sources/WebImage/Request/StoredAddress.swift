import ImageCaching
import ImageFetching

#if canImport(FoundationEssentials)
package import FoundationEssentials
#else
package import Foundation
#endif

/// How entries on the disk say which address they are of: in words, without its secrets, and where that is not all that
/// identifies the picture, with a fingerprint of the whole. So an address with a query is found again, and cannot be read.
package struct StoredAddress: Sendable {
    private static let wordsField = "url", fingerprintField = "address"

    private let whole: String
    private let fingerprints: Set<String>

    /// An address to look for: all of it, or what a request may have taken for its identity.
    package init(_ url: URL) {
        whole = AddressText.whole(url)
        let filters = [CacheKeyFilter.none, .presigned, .withoutQuery]
        fingerprints = Set(filters.map { Fingerprint.of($0.identity(of: url)) })
    }

    /// Whether an entry is of this address, in whatever variant and with whatever headers it was asked for.
    package func isAddress(of metadata: EntryMetadata) -> Bool {
        guard let fingerprint = metadata[Self.fingerprintField] else { return metadata[Self.wordsField] == whole }
        return fingerprints.contains(fingerprint)
    }

    /// What is written down of a request's address.
    static func fields(of request: ImageRequest) -> [String: String] {
        let (words, identity) = (request.url.redacted, request.options.keyFilter.identity(of: request.url))
        var fields = [wordsField: words]
        if identity != words { fields[fingerprintField] = Fingerprint.of(identity) }
        return fields
    }
}
