/// By which rule a stored response may be used.
public enum FreshnessRule: Hashable, Sendable {
    case standard
    case revalidate
    case lifetime(Duration)
    case cacheOnly
    case networkOnly
}
