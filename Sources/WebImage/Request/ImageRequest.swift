public import ImageCoding
public import ImageFetching
public import ImageProcessing
public import Pixels

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// What is to be loaded and how.
///
/// A value that knows its cache keys: they are computed when it is made and when a property that matters changes, so
/// that a memory look-up with a request that is at hand costs neither hashing nor memory.
public struct ImageRequest: Sendable {
    /// An `http:`, `https:`, `file:` or `data:` URL.
    public let url: URL

    /// Headers to send in addition to the pipeline's own. They are part of the identity of the bytes: requests that
    /// differ in them never share a download or a cache entry.
    public var headers: HTTPHeaders { didSet { updateKeys() } }

    /// What few requests change: how the address makes the key, secrets, hooks.
    public var options: RequestOptions {
        get { special?.options ?? RequestOptions() }
        set {
            special = SpecialOptions(newValue)
            updateKeys()
        }
    }

    /// The size that is wanted, `nil` for the picture's own. Default `nil`.
    public var target: TargetSize? { didSet { updateKeys() } }

    /// Steps that the picture passes through after it was decoded, in order. Default none. Tasks that share the first
    /// steps share the work on them.
    public var processing: [ProcessingStep] { didSet { updateKeys() } }

    /// What a decode may cost. Default `DecodeLimits.default`.
    public var limits: DecodeLimits { didSet { updateKeys() } }

    /// Which caches are read and written. Default: both are.
    public var caching: CachePolicy

    /// How urgent the load is. Default ``ImagePriority/normal``.
    public var priority: ImagePriority

    private(set) var keys: RequestKeys

    /// The options, where they are not the default: requests are copied often, and few have any.
    private var special: SpecialOptions?

    public init(
        url: URL, headers: HTTPHeaders = HTTPHeaders(), target: TargetSize? = nil, limits: DecodeLimits = .default,
        processing: [ProcessingStep] = [], caching: CachePolicy = CachePolicy(), priority: ImagePriority = .normal,
        options: RequestOptions = RequestOptions()
    ) {
        self.url = url
        self.headers = headers
        self.target = target
        self.limits = limits
        self.processing = processing
        self.caching = caching
        self.priority = priority
        special = options.isDefault ? nil : SpecialOptions(options)
        keys = RequestKeys(
            url: url, headers: headers, options: options, target: target, limits: limits, processing: processing)
    }

    private mutating func updateKeys() {
        keys = RequestKeys(
            url: url, headers: headers, options: options, target: target, limits: limits, processing: processing)
    }
}

private final class SpecialOptions: Sendable {
    let options: RequestOptions

    init(_ options: RequestOptions) { self.options = options }
}
