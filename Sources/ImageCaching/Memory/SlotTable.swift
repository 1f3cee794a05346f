/// Finds the number of a slot by 32 bits of its key's hash: open addressing, linear probing, no tombstones.
///
/// At most three quarters are filled. A removal moves the entries behind it back, so that a look-up ends at the first
/// empty place and a table that is always full of changing entries never has to be rebuilt.
@usableFromInline
struct SlotTable: Sendable {
    @usableFromInline
    struct Place: Sendable {
        @usableFromInline var hash: UInt32
        /// Negative in an empty place.
        @usableFromInline var slot: Int32

        @inlinable
        init(hash: UInt32, slot: Int32) {
            self.hash = hash
            self.slot = slot
        }
    }

    @usableFromInline var places: [Place] = []

    /// The slot with this hash for which `isMatch` holds.
    @inlinable
    func find(hash: UInt32, isMatch: (Int) -> Bool) -> Int? {
        guard !places.isEmpty else { return nil }
        let mask = places.count - 1
        var index = Int(hash) & mask
        while true {
            let place = places[index]
            if place.slot < 0 { return nil }
            if place.hash == hash, isMatch(Int(place.slot)) { return Int(place.slot) }
            index = (index + 1) & mask
        }
    }

    /// - Parameter count: how many slots the table holds now.
    @usableFromInline
    mutating func insert(_ slot: Int, hash: UInt32, count: Int) {
        if count >= places.count / 4 * 3 { grow() }
        put(Place(hash: hash, slot: Int32(slot)))
    }

    @usableFromInline
    mutating func remove(_ slot: Int, hash: UInt32) {
        let mask = places.count - 1
        var gap = Int(hash) & mask
        while places[gap].slot != Int32(slot) { gap = (gap + 1) & mask }
        var index = (gap + 1) & mask
        while places[index].slot >= 0 {
            // An entry may move back to the gap unless its own place lies behind it.
            let distance = (index - Int(places[index].hash)) & mask
            if distance >= (index - gap) & mask {
                places[gap] = places[index]
                gap = index
            }
            index = (index + 1) & mask
        }
        places[gap].slot = -1
    }

    /// Gives a slot that is in the table another number.
    @usableFromInline
    mutating func renumber(_ slot: Int, to number: Int, hash: UInt32) {
        let mask = places.count - 1
        var index = Int(hash) & mask
        while places[index].slot != Int32(slot) { index = (index + 1) & mask }
        places[index].slot = Int32(number)
    }

    private mutating func put(_ place: Place) {
        let mask = places.count - 1
        var index = Int(place.hash) & mask
        while places[index].slot >= 0 { index = (index + 1) & mask }
        places[index] = place
    }

    private mutating func grow() {
        let old = places
        places = Array(repeating: Place(hash: 0, slot: -1), count: max(16, old.count * 2))
        for place in old where place.slot >= 0 { put(place) }
    }
}
