import ImageCaching
import ImageCoding
import ImageFetching
import Pixels

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The identities of a request, from the widest to the narrowest.
///
/// The fields are length-prefixed and versioned, so that no two different requests make the same ones, and entries of
/// an older rule are never mistaken for today's.
struct RequestKeys: Hashable, Sendable {
    /// What identifies the original bytes: the URL and the headers that are sent.
    let byteFields: KeyFields
    /// The identity of the original bytes, for memory.
    let bytes: KeyDigest
    /// The identity of the decoded picture: the bytes, the wanted size and the limits.
    let picture: KeyDigest

    init(url: URL, headers: HTTPHeaders, target: TargetSize?, limits: DecodeLimits) {
        var fields = KeyFields("bytes/1")
        fields.append(url.absoluteString)
        for (name, value) in headers.sortedFields {
            fields.append(name)
            fields.append(value)
        }
        byteFields = fields
        bytes = fields.digest

        fields.append("picture/1")
        fields.append(target?.width ?? 0)
        fields.append(target?.height ?? 0)
        fields.append(target.map { $0.fit == .cover ? 2 : 1 } ?? 0)
        fields.append(target?.allowsUpscaling ?? false)
        for limit in [limits.maxPixels, limits.maxSide, limits.maxInputBytes, limits.maxScans] { fields.append(limit) }
        picture = fields.digest
    }

    init(_ request: ImageRequest) {
        self.init(url: request.url, headers: request.headers, target: request.target, limits: request.limits)
    }
}

extension RequestKeys {
    /// The identity of the original bytes on disk: the SHA-256 of their fields, so that no address, password or header
    /// is written into the cache.
    var disk: DiskKey {
        var fields = KeyFields("sha256/1")
        fields.append(DiskKey(byteFields).fileName)
        return DiskKey(fields)
    }
}

extension HTTPHeaders {
    /// Lower-case names with their values, in an order that does not depend on how they were added.
    fileprivate var sortedFields: [(name: String, value: String)] {
        map { (name: $0.name.lowercased(), value: $0.value) }.sorted { ($0.name, $0.value) < ($1.name, $1.value) }
    }
}
