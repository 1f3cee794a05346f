/// A cache's order, its costs and its look-up table as one value, without a lock.
///
/// The order is SIEVE's (Zhang et al., NSDI 2024): new entries go to the head of a list; a hit only sets a bit; to make
/// room, a hand walks from the tail towards the head, clears the bits that are set and takes out the first entry whose
/// bit is not. Entries that were never asked for again go first, so a long scroll does not wash out what is in use, and
/// a hit moves nothing. A step of the hand clears a bit that a hit had set, so making room costs a constant number of
/// steps for each hit and insertion, however many entries there are. An entry whose lifetime is over goes as soon as the
/// hand comes by, whatever its bit says.
///
/// Entries live in the slots of one array, linked by their numbers, and are found through an open-addressed table of
/// 32 hash bits and a slot's number each.
@usableFromInline
struct SieveCache<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    @usableFromInline typealias SlotNumber = Int32

    @usableFromInline
    struct Slot: Sendable {
        @usableFromInline var key: Key
        /// Nil in a slot that is free.
        @usableFromInline var value: Value?
        @usableFromInline var cost: Int
        @usableFromInline var hash: UInt32
        /// Towards the head, where the newest are. In a free slot: the next free one.
        @usableFromInline var newer: SlotNumber
        @usableFromInline var older: SlotNumber
        @usableFromInline var isVisited: Bool
        /// Whether ``SieveCache/deadlines`` has one for this slot.
        @usableFromInline var hasDeadline: Bool

        @inlinable
        init(key: Key, value: Value, cost: Int, hash: UInt32, older: SlotNumber, isVisited: Bool, hasDeadline: Bool) {
            self.key = key
            self.value = value
            self.cost = cost
            self.hash = hash
            newer = none
            self.older = older
            self.isVisited = isVisited
            self.hasDeadline = hasDeadline
        }
    }

    @usableFromInline var slots: [Slot] = []
    /// By the slots' numbers, in nanoseconds. Beside the slots, so that a hit reads no more than before and a cache
    /// without lifetimes holds none: it is empty until the first one comes.
    @usableFromInline var deadlines: [Int64] = []
    @usableFromInline var table = SlotTable()
    @usableFromInline var head = none
    @usableFromInline var tail = none
    @usableFromInline var hand = none
    @usableFromInline var firstFree = none

    @usableFromInline var count = 0
    @usableFromInline var totalCost = 0
    @usableFromInline var costLimit: Int
    @usableFromInline var countLimit: Int

    /// - Parameters:
    ///   - costLimit: what the costs may add up to.
    ///   - countLimit: how many entries there may be, at most 2³⁰.
    init(costLimit: Int, countLimit: Int? = nil) {
        self.costLimit = Self.clamped(cost: costLimit)
        self.countLimit = Self.clamped(count: countLimit)
    }

    /// Half of what an `Int` holds is no limit at all, and two such costs can be added.
    static func clamped(cost limit: Int) -> Int { min(max(0, limit), Int.max / 2) }

    static func clamped(count limit: Int?) -> Int { min(max(0, limit ?? .max), noCountLimit) }

    /// Numbers of slots fit into 32 bits.
    static var noCountLimit: Int { 1 << 30 }

    /// The number of the key's slot, whose lifetime may be over.
    @inlinable
    func find(_ key: Key) -> Int? { find(key, hash: Self.hash(of: key)) }

    /// The value of a slot, which now counts as used.
    @inlinable
    mutating func use(slot: Int) -> Value? {
        if !slots[slot].isVisited { slots[slot].isVisited = true }
        return slots[slot].value
    }

    /// Whether the lifetime of a slot's entry is over. The clock is read only if it has one.
    @inlinable
    func isExpired(slot: Int, _ clock: LifetimeClock) -> Bool {
        slots[slot].hasDeadline && deadlines[slot] <= clock.now
    }

    /// Keeps a value and makes room for it first.
    ///
    /// - Parameters:
    ///   - deadline: when its lifetime is over, `.max` for never.
    ///   - clock: what the lifetimes of others are held against.
    ///   - departed: gets what went: what made room and the one that had the key.
    /// - Returns: false when the cost is above the limit. Then nothing is kept under the key.
    @inlinable
    mutating func insert(
        _ value: Value, forKey key: Key, cost: Int, deadline: Int64 = .max, clock: LifetimeClock,
        departed: inout [Departed<Key, Value>]
    ) -> Bool {
        let cost = max(0, cost)
        let hash = Self.hash(of: key)
        var isVisited = false
        if let old = find(key, hash: hash) {
            isVisited = true
            departed.append(remove(slot: old, reason: .replaced))
        }
        guard cost <= costLimit, countLimit > 0 else { return false }
        makeRoom(cost: costLimit - cost, count: countLimit - 1, clock: clock, departed: &departed)
        let number = place(
            Slot(
                key: key, value: value, cost: cost, hash: hash, older: head, isVisited: isVisited,
                hasDeadline: deadline != .max))
        if deadline != .max { setDeadline(deadline, slot: number) }
        table.insert(number, hash: hash, count: count)
        count += 1
        totalCost += cost
        return true
    }

    /// Takes out entries in the order of the hand until no more than `cost` and `count` are left.
    @inlinable
    mutating func makeRoom(
        cost: Int, count: Int, clock: LifetimeClock, departed: inout [Departed<Key, Value>]
    ) {
        guard totalCost > cost || self.count > count else { return }
        let now = deadlines.isEmpty ? Int64.min : clock.now
        while totalCost > cost || self.count > count, let entry = evictOne(now) { departed.append(entry) }
    }

    @inlinable
    mutating func evictOne(_ now: Int64) -> Departed<Key, Value>? {
        var slot = hand == none ? tail : hand
        while slot != none {
            let number = Int(slot)
            if slots[number].hasDeadline, deadlines[number] <= now { return remove(slot: number, reason: .expired) }
            guard slots[number].isVisited else { return remove(slot: number, reason: .evicted) }
            slots[number].isVisited = false
            let newer = slots[number].newer
            slot = newer == none ? tail : newer
            hand = slot
        }
        return nil
    }

    /// Takes out every entry whose lifetime is over; walks through all.
    mutating func removeExpired(clock: LifetimeClock, departed: inout [Departed<Key, Value>]) {
        guard !deadlines.isEmpty else { return }
        let now = clock.now
        var slot = tail
        while slot != none {
            let number = Int(slot)
            slot = slots[number].newer
            if slots[number].hasDeadline, deadlines[number] <= now {
                departed.append(remove(slot: number, reason: .expired))
            }
        }
    }

    /// Takes out every entry that is not wanted; walks through all.
    mutating func removeAll(where isUnwanted: (Key, Value) -> Bool, departed: inout [Departed<Key, Value>]) {
        var slot = tail
        while slot != none {
            let number = Int(slot)
            slot = slots[number].newer
            guard let value = slots[number].value, isUnwanted(slots[number].key, value) else { continue }
            departed.append(remove(slot: number, reason: .removed))
        }
    }

    @inlinable
    static func hash(of key: Key) -> UInt32 { UInt32(truncatingIfNeeded: key.hashValue) }

    @inlinable
    func find(_ key: Key, hash: UInt32) -> Int? {
        table.find(hash: hash) { slots[$0].key == key }
    }

    /// Puts a slot at the head of the list, into the place of a free one if there is any.
    @inlinable
    mutating func place(_ slot: Slot) -> Int {
        let number: Int
        if firstFree != none {
            number = Int(firstFree)
            firstFree = slots[number].newer
            slots[number] = slot
        } else {
            number = slots.count
            slots.append(slot)
        }
        if head != none { slots[Int(head)].newer = SlotNumber(number) }
        head = SlotNumber(number)
        if tail == none { tail = head }
        return number
    }

    @usableFromInline
    mutating func setDeadline(_ deadline: Int64, slot: Int) {
        if slot >= deadlines.count {
            deadlines.append(contentsOf: repeatElement(.max, count: slots.count - deadlines.count))
        }
        deadlines[slot] = deadline
    }

    @inlinable
    mutating func remove(slot number: Int, reason: Departure) -> Departed<Key, Value> {
        let (newer, older) = (slots[number].newer, slots[number].older)
        table.remove(number, hash: slots[number].hash)
        if hand == SlotNumber(number) { hand = newer }
        if newer != none { slots[Int(newer)].older = older } else { head = older }
        if older != none { slots[Int(older)].newer = newer } else { tail = newer }
        let departed = Departed(
            key: slots[number].key, value: slots[number].value.take(), cost: slots[number].cost,
            deadline: slots[number].hasDeadline ? deadlines[number] : .max, reason: reason)
        totalCost -= departed.cost
        count -= 1
        slots[number].newer = firstFree
        firstFree = SlotNumber(number)
        return departed
    }
}

/// No slot.
@usableFromInline let none: Int32 = -1
