/// What a memory cache did since it was made, and how full it is, at one moment.
public struct MemoryCacheStatistics: Hashable, Sendable {
    /// Look-ups that found a value, those that found it in the weak level among them.
    public var hits = 0
    /// Look-ups that found nothing, or nothing whose lifetime was not over.
    public var misses = 0
    /// Of the ``hits``, those whose value was only in the weak level.
    public var weakHits = 0
    /// Values that were given to the cache and kept, those in the place of an older one among them.
    public var insertions = 0
    /// Entries that went because of a limit, to make room, or because the cache was trimmed.
    public var evictions = 0
    /// Entries that went because their lifetime was over.
    public var expirations = 0

    /// Entries now. Those whose lifetime is over count until somebody asks for them or they make room.
    public var count = 0
    /// What the costs of all entries add up to now, in the unit of the insertions.
    public var cost = 0
    /// Entries of the weak level now. Those whose value nobody holds any more may still be among them, for a while.
    public var weakCount = 0

    /// The part of all look-ups that found a value, from 0 to 1; nil before the first.
    public var hitRatio: Double? {
        hits == 0 && misses == 0 ? nil : Double(hits) / (Double(hits) + Double(misses))
    }

    public init() {}
}
