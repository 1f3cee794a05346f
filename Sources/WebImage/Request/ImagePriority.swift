/// How urgent a load is. Work that several tasks wait for has the highest of their priorities.
public enum ImagePriority: Int, Hashable, Sendable, CaseIterable, Comparable {
    case veryLow
    case low
    case normal
    case high
    case veryHigh

    public static func < (left: ImagePriority, right: ImagePriority) -> Bool { left.rawValue < right.rawValue }
}
