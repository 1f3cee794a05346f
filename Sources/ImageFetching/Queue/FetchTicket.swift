import Synchronization

/// Names one fetch, so that its priority can be changed while it waits.
public struct FetchTicket: Hashable, Sendable {
    private static let issued = Atomic<UInt64>(0)

    private let number: UInt64

    /// A ticket that is equal to no other. Use it for one fetch at a time.
    public init() {
        number = Self.issued.wrappingAdd(1, ordering: .relaxed).newValue
    }
}
