/// A cache's order, its costs and its look-up table as one value, without a lock.
///
/// The order is SIEVE's (Zhang et al., NSDI 2024): new entries go to the head of a list; a hit only sets a bit; to make
/// room, a hand walks from the tail towards the head, clears the bits that are set and takes out the first entry whose
/// bit is not. Entries that were never asked for again go first, so a long scroll does not wash out what is in use, and
/// a hit moves nothing. A step of the hand clears a bit that a hit had set, so making room costs a constant number of
/// steps for each hit and insertion, however many entries there are.
///
/// Entries live in the slots of one array, linked by their numbers, and are found through an open-addressed table of
/// 32 hash bits and a slot's number each.
@usableFromInline
struct SieveCache<Key: Hashable, Value> {
    @usableFromInline typealias SlotNumber = Int32

    @usableFromInline
    struct Slot {
        @usableFromInline var key: Key
        /// Nil in a slot that is free.
        @usableFromInline var value: Value?
        @usableFromInline var cost: Int
        @usableFromInline var hash: UInt32
        /// Towards the head, where the newest are. In a free slot: the next free one.
        @usableFromInline var newer: SlotNumber
        @usableFromInline var older: SlotNumber
        @usableFromInline var isVisited: Bool

        @inlinable
        init(key: Key, value: Value, cost: Int, hash: UInt32, older: SlotNumber) {
            self.key = key
            self.value = value
            self.cost = cost
            self.hash = hash
            newer = none
            self.older = older
            isVisited = false
        }
    }

    @usableFromInline var slots: [Slot] = []
    @usableFromInline var table = SlotTable()
    @usableFromInline var head = none
    @usableFromInline var tail = none
    @usableFromInline var hand = none
    @usableFromInline var firstFree = none

    @usableFromInline var count = 0
    @usableFromInline var totalCost = 0
    @usableFromInline var costLimit: Int
    @usableFromInline let countLimit: Int

    /// - Parameters:
    ///   - costLimit: what the costs may add up to.
    ///   - countLimit: how many entries there may be, at most 2³⁰.
    init(costLimit: Int, countLimit: Int? = nil) {
        self.costLimit = Self.clamped(costLimit)
        self.countLimit = min(max(0, countLimit ?? .max), 1 << 30)
    }

    /// Half of what an `Int` holds is no limit at all, and two such costs can be added.
    private static func clamped(_ limit: Int) -> Int { min(max(0, limit), Int.max / 2) }

    /// The value, whose entry now counts as used.
    @inlinable
    mutating func value(forKey key: Key) -> Value? {
        guard let slot = find(key, hash: Self.hash(of: key)) else { return nil }
        if !slots[slot].isVisited { slots[slot].isVisited = true }
        return slots[slot].value
    }

    /// Keeps a value and makes room for it first.
    ///
    /// - Parameter released: gets the values that went: those that made room and the one that had the key.
    /// - Returns: false when the cost is above the limit. Then nothing is kept under the key.
    @inlinable
    mutating func insert(_ value: Value, forKey key: Key, cost: Int, released: inout [Value]) -> Bool {
        let cost = max(0, cost)
        let hash = Self.hash(of: key)
        var isVisited = false
        if let old = find(key, hash: hash) {
            isVisited = true
            if let value = remove(slot: old) { released.append(value) }
        }
        guard cost <= costLimit, countLimit > 0 else { return false }
        makeRoom(cost: costLimit - cost, count: countLimit - 1, released: &released)
        let slot = Slot(key: key, value: value, cost: cost, hash: hash, older: head)
        let number = place(slot, isVisited: isVisited)
        table.insert(number, hash: hash, count: count)
        count += 1
        totalCost += cost
        return true
    }

    mutating func removeValue(forKey key: Key) -> Value? {
        guard let slot = find(key, hash: Self.hash(of: key)) else { return nil }
        return remove(slot: slot)
    }

    mutating func setCostLimit(_ limit: Int, released: inout [Value]) {
        costLimit = Self.clamped(limit)
        makeRoom(cost: costLimit, count: countLimit, released: &released)
    }

    mutating func trim(toCost cost: Int, released: inout [Value]) {
        makeRoom(cost: max(0, cost), count: countLimit, released: &released)
    }

    /// Takes out entries in the order of the hand until no more than `cost` and `count` are left.
    @inlinable
    mutating func makeRoom(cost: Int, count: Int, released: inout [Value]) {
        while totalCost > cost || self.count > count, let value = evictOne() { released.append(value) }
    }

    @inlinable
    mutating func evictOne() -> Value? {
        var slot = hand == none ? tail : hand
        while slot != none {
            guard slots[Int(slot)].isVisited else { return remove(slot: Int(slot)) }
            slots[Int(slot)].isVisited = false
            let newer = slots[Int(slot)].newer
            slot = newer == none ? tail : newer
            hand = slot
        }
        return nil
    }

    @inlinable
    static func hash(of key: Key) -> UInt32 { UInt32(truncatingIfNeeded: key.hashValue) }

    @inlinable
    func find(_ key: Key, hash: UInt32) -> Int? {
        table.find(hash: hash) { slots[$0].key == key }
    }

    /// Puts a slot at the head of the list, into the place of a free one if there is any.
    @inlinable
    mutating func place(_ slot: Slot, isVisited: Bool) -> Int {
        var slot = slot
        slot.isVisited = isVisited
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

    @inlinable
    mutating func remove(slot number: Int) -> Value? {
        let (newer, older) = (slots[number].newer, slots[number].older)
        table.remove(number, hash: slots[number].hash)
        if hand == SlotNumber(number) { hand = newer }
        if newer != none { slots[Int(newer)].older = older } else { head = older }
        if older != none { slots[Int(older)].newer = newer } else { tail = newer }
        let value = slots[number].value.take()
        totalCost -= slots[number].cost
        count -= 1
        slots[number].newer = firstFree
        firstFree = SlotNumber(number)
        return value
    }
}

/// No slot.
@usableFromInline let none: Int32 = -1
