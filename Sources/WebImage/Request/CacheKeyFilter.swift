#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Which part of an address identifies the picture.
///
/// A signed address is another one each time it is made, although it leads to the same picture; a cache that goes by
/// the whole address never finds anything again. A filter says what to leave out:
///
/// ```swift
/// let filter = CacheKeyFilter.amazonS3
/// filter.identity(of: url)  // https://bucket.s3.amazonaws.com/cat.jpg?versionId=3
/// ```
///
/// Query items are compared by name, exactly as they are written, and what stays keeps its order and its percent
/// encoding. The fragment is never a part of the identity: it is never sent. Choose a filter only for servers you know,
/// because two addresses of one identity get one picture, and whoever has the one gets it without the other's signature.
public struct CacheKeyFilter: Hashable, Sendable {
    private enum Rule: Hashable, Sendable {
        case none
        case dropping(Set<String>)
        case keeping(Set<String>)
        case withoutQuery
        case unsigned([URLSignature])
        case custom(name: String, CustomIdentity)
    }

    private let rule: Rule

    /// The whole address.
    public static let none = CacheKeyFilter(rule: .none)

    /// Without the query.
    public static let withoutQuery = CacheKeyFilter(rule: .withoutQuery)

    /// Without the query items of these names.
    public static func dropping(queryItems names: Set<String>) -> CacheKeyFilter {
        CacheKeyFilter(rule: .dropping(names))
    }

    /// With the query items of these names and no others.
    public static func keeping(queryItems names: Set<String>) -> CacheKeyFilter {
        CacheKeyFilter(rule: .keeping(names))
    }

    /// Without the signature of Amazon S3 and what speaks its language, of version 4 (`X-Amz-Signature`) or
    /// 2 (`AWSAccessKeyId`). What changes the response stays: `versionId`, `response-content-type` and so on.
    ///
    /// Items like `Expires` are left out only of an address that has the scheme's signature.
    public static let amazonS3 = CacheKeyFilter(rule: .unsigned([.amazonV4, .amazonV2]))

    /// Without the signature of Amazon CloudFront (`Key-Pair-Id` and `Signature`).
    public static let cloudFront = CacheKeyFilter(rule: .unsigned([.cloudFront]))

    /// Without the signature of Google Cloud Storage, of version 4 (`X-Goog-Signature`) or 2 (`GoogleAccessId`).
    public static let googleCloudStorage = CacheKeyFilter(rule: .unsigned([.googleV4, .googleV2]))

    /// Without the signature of any of these services.
    public static let presigned = CacheKeyFilter(
        rule: .unsigned([.amazonV4, .amazonV2, .cloudFront, .googleV4, .googleV2]))

    /// What a closure makes of the address.
    ///
    /// - Parameters:
    ///   - name: identifies the rule: two filters of one name count as equal, whatever their closures do.
    ///   - identity: always the same for the same address. Called more than once for a request.
    public static func custom(name: String, _ identity: @escaping @Sendable (URL) -> String) -> CacheKeyFilter {
        CacheKeyFilter(rule: .custom(name: name, CustomIdentity(closure: identity)))
    }

    /// The text that stands for an address in the keys of caches.
    public func identity(of url: URL) -> String {
        switch rule {
        case .none: AddressText.whole(url)
        case .dropping(let names): AddressText(url).text { !names.contains($0) }
        case .keeping(let names): AddressText(url).text { names.contains($0) }
        case .withoutQuery: String(AddressText(url).base)
        case .unsigned(let signatures): AddressText(url).unsigned(signatures)
        case .custom(_, let identity): identity.closure(url)
        }
    }
}

/// A closure that plays no part in comparisons: its name does.
private struct CustomIdentity: Hashable, Sendable {
    let closure: @Sendable (URL) -> String

    static func == (left: CustomIdentity, right: CustomIdentity) -> Bool { true }
    func hash(into hasher: inout Hasher) {}
}
