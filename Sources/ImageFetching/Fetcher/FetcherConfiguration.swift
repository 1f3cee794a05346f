extension Fetcher {
    /// How a fetcher goes about its work.
    public struct Configuration: Sendable, Hashable {
        /// The most downloads at once. Default 6. Files and `data:` URLs do not count.
        public var maxConcurrentDownloads: Int
        /// The most of them with a priority below normal. Default 3; prefetching then never takes every slot. While
        /// anything more urgent is downloaded only one of them starts at a time.
        public var maxConcurrentLowPriorityDownloads: Int
        /// The most local sources that are read at once, files among them. Default 4. No more files than that are open.
        public var maxConcurrentLocalReads: Int
        /// The order among waiting downloads of the same priority. Default ``FetchOrder/fifo``.
        public var order: FetchOrder
        /// The most redirects of one fetch. Default 5.
        public var maxRedirects: Int
        /// The shortest time between two progress reports. Default 100 ms.
        public var progressInterval: Duration
        /// Default `swift-web-image/0.1`: it says nothing of the machine or its user. Nil sends none.
        public var userAgent: String?
        /// The `Accept` field. Default `image/*;q=0.8,*/*;q=0.5`; name first what can be decoded.
        public var accept: String
        /// When what has failed is tried again. Default: three attempts with growing, random pauses. A request may say
        /// otherwise.
        public var retry: RetryPolicy
        /// From how many bytes on the beginning of a body that broke off is worth keeping. Default 64 KiB.
        public var minimumPartialBytes: Int
        /// Whether an origin that has answered with errors (5xx or 429) five times in a row is left alone for a while, a
        /// second at first and half a minute at most. Default `true`. Connections that cannot be made do not count.
        public var sparesFailingOrigins: Bool
        /// Which responses are taken. Default: the statuses 200 and 203 with any media type.
        public var responses: ResponseRule
        /// Who this program is to which server. Default: nobody. Requests with an `Authorization` of their own keep it.
        public var credentials: CredentialStore
        /// What one transfer may cost, its timeout of 15 s among it.
        public var limits: FetchLimits

        public init(
            maxConcurrentDownloads: Int = 6, maxConcurrentLowPriorityDownloads: Int = 3,
            maxConcurrentLocalReads: Int = 4, order: FetchOrder = .fifo,
            maxRedirects: Int = 5, progressInterval: Duration = .milliseconds(100),
            userAgent: String? = "swift-web-image/0.1", accept: String = "image/*;q=0.8,*/*;q=0.5",
            retry: RetryPolicy = RetryPolicy(), minimumPartialBytes: Int = 64 << 10, sparesFailingOrigins: Bool = true,
            responses: ResponseRule = ResponseRule(), credentials: CredentialStore = CredentialStore(),
            limits: FetchLimits = FetchLimits()
        ) {
            self.maxConcurrentDownloads = maxConcurrentDownloads
            self.maxConcurrentLowPriorityDownloads = maxConcurrentLowPriorityDownloads
            self.maxConcurrentLocalReads = maxConcurrentLocalReads
            self.order = order
            self.maxRedirects = maxRedirects
            self.progressInterval = progressInterval
            self.userAgent = userAgent
            self.accept = accept
            self.retry = retry
            self.minimumPartialBytes = minimumPartialBytes
            self.sparesFailingOrigins = sparesFailingOrigins
            self.responses = responses
            self.credentials = credentials
            self.limits = limits
        }

        /// The timeout of ``limits``. Default 15 s.
        public var timeout: Duration {
            get { limits.timeout }
            set { limits.timeout = newValue }
        }
    }
}
