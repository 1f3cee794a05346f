import ImageFetching

extension ImagePriority {
    /// The same urgency in the download queue's own terms.
    var fetchPriority: FetchPriority {
        switch self {
        case .veryLow: .veryLow
        case .low: .low
        case .normal: .normal
        case .high: .high
        case .veryHigh: .veryHigh
        }
    }
}
