/// Who plays which animation, what each may hold, and which frame is decoded next, as a value over a clock that is passed
/// in.
struct FrameSeats: Sendable {
    typealias Instant = ContinuousClock.Instant
    typealias PlayerID = UInt64
    typealias AnimationID = ObjectIdentifier

    /// What a player needs.
    enum Standing: Int, Comparable, Sendable {
        /// Nothing: nobody sees it.
        case hidden
        /// The frame at which it stands.
        case resting
        /// One frame after the other.
        case running

        static func < (left: Standing, right: Standing) -> Bool { left.rawValue < right.rawValue }
    }

    /// What has to be done about a change.
    struct Effects: Equatable, Sendable {
        /// Players that hold their frame and no more from now on.
        var settled: [PlayerID] = []
        /// Players that hold nothing from now on.
        var cleared: [PlayerID] = []
        /// Shares that have changed.
        var shares: [AnimationID: FrameShare] = [:]
        /// Nobody plays any more.
        var isIdle = false
    }

    /// A frame that somebody waits for.
    struct Order: Equatable, Sendable {
        let player: PlayerID
        var frame: Int
    }

    private struct Seat {
        var animation: AnimationID
        var standing = Standing.hidden
        /// What it falls to, and when, unless it rises again first.
        var fall: (standing: Standing, at: Instant)?
    }

    private struct Entry {
        let demand: FrameDemand
        var players = 0
        /// Of those, how many run.
        var running = 0
        var resting = 0
        var share = FrameShare()
        var orders: [Order] = []
        var isDecoding = false
    }

    private var seats: [PlayerID: Seat] = [:]
    private var entries: [AnimationID: Entry] = [:]
    /// In the order in which they came, so that equals are treated the same from one division to the next.
    private var arrivals: [AnimationID] = []
    private var relief: (limit: Int, until: Instant)?

    /// Bytes.
    private(set) var limit: Int
    private let decodes: Int
    /// For how long frames stay that are not needed any more: who looks away for a moment finds everything as it was.
    private let grace: Duration
    /// For how long less is held after memory was short.
    private static let reliefTime = Duration.seconds(10)

    init(limit: Int, decodes: Int, grace: Duration) {
        self.limit = max(0, limit)
        self.decodes = max(1, decodes)
        self.grace = grace
    }

    // MARK: Who plays

    /// Takes a player that needs nothing yet.
    mutating func join(_ player: PlayerID, _ animation: AnimationID, _ demand: FrameDemand) {
        seats[player] = Seat(animation: animation)
        enter(animation, demand)
    }

    mutating func leave(_ player: PlayerID) -> Effects {
        guard let seat = seats.removeValue(forKey: player) else { return Effects() }
        withdraw(player, seat)
        return seat.standing == .hidden ? Effects() : divided()
    }

    /// Has a player play another animation from now on.
    mutating func move(_ player: PlayerID, to animation: AnimationID, _ demand: FrameDemand) -> Effects {
        guard var seat = seats[player], seat.animation != animation else { return Effects() }
        withdraw(player, seat)
        seat.animation = animation
        seats[player] = seat
        enter(animation, demand)
        count(seat, by: 1)
        return seat.standing == .hidden ? Effects() : divided()
    }

    /// Somebody plays the animation, or might.
    func knows(_ animation: AnimationID) -> Bool { entries[animation] != nil }

    private mutating func enter(_ animation: AnimationID, _ demand: FrameDemand) {
        if entries[animation] == nil {
            entries[animation] = Entry(demand: demand)
            arrivals.append(animation)
        }
        entries[animation]?.players += 1
    }

    private mutating func withdraw(_ player: PlayerID, _ seat: Seat) {
        count(seat, by: -1)
        entries[seat.animation]?.players -= 1
        entries[seat.animation]?.orders.removeAll { $0.player == player }
        guard entries[seat.animation]?.players == 0 else { return }
        entries[seat.animation] = nil
        arrivals.removeAll { $0 == seat.animation }
    }

    /// Notes what a player needs from now on. What it needs no more it keeps for a moment.
    ///
    /// - Parameter isAtOnce: it keeps nothing.
    mutating func set(
        _ standing: Standing, of player: PlayerID, at now: Instant, isAtOnce: Bool = false
    ) -> Effects {
        guard let seat = seats[player] else { return Effects() }
        if standing < seat.standing {
            let time = isAtOnce ? now : seat.fall?.at ?? now + grace
            seats[player]?.fall = (standing, time)
            return isAtOnce ? advance(to: now) : Effects()
        }
        seats[player]?.fall = nil
        return standing == seat.standing ? Effects() : change(player, to: standing)
    }

    /// What is over at a time goes.
    mutating func advance(to now: Instant) -> Effects {
        var effects = Effects()
        var isChanged = false
        for (player, seat) in seats {
            guard let fall = seat.fall, fall.at <= now else { continue }
            seats[player]?.fall = nil
            count(seat, by: -1)
            seats[player]?.standing = fall.standing
            if let seat = seats[player] { count(seat, by: 1) }
            if fall.standing == .hidden { effects.cleared.append(player) } else { effects.settled.append(player) }
            isChanged = true
        }
        if let relief, relief.until <= now {
            self.relief = nil
            isChanged = true
        }
        guard isChanged else { return effects }
        let divided = divided()
        effects.shares = divided.shares
        effects.isIdle = divided.isIdle
        return effects
    }

    /// When ``advance(to:)`` has something to do.
    var nextDeadline: Instant? {
        let falls = seats.values.compactMap { $0.fall?.at }
        return (falls + [relief?.until].compactMap(\.self)).min()
    }

    private mutating func change(_ player: PlayerID, to standing: Standing) -> Effects {
        guard let seat = seats[player] else { return Effects() }
        count(seat, by: -1)
        seats[player]?.standing = standing
        if let seat = seats[player] { count(seat, by: 1) }
        return divided()
    }

    private mutating func count(_ seat: Seat, by change: Int) {
        switch seat.standing {
        case .running: entries[seat.animation]?.running += change
        case .resting: entries[seat.animation]?.resting += change
        case .hidden: break
        }
    }

    // MARK: What each may hold

    mutating func setLimit(_ limit: Int) -> Effects {
        self.limit = max(0, limit)
        return divided()
    }

    /// Holds no more than that for a while.
    mutating func relieve(to limit: Int, at now: Instant) -> Effects {
        relief = (max(0, limit), now + Self.reliefTime)
        return divided()
    }

    /// What may be held now.
    var currentLimit: Int { min(limit, relief?.limit ?? .max) }

    func share(of animation: AnimationID) -> FrameShare { entries[animation]?.share ?? FrameShare() }

    private mutating func divided() -> Effects {
        let playing = arrivals.filter { (entries[$0]?.running ?? 0) > 0 }
        // Who stands still holds its frame and no more.
        let resting = entries.values.reduce(0) { $0 + min($1.resting, $1.demand.frameCount) * $1.demand.pictureBytes }
        let demands = playing.compactMap { animation in
            entries[animation].map { entry in
                var demand = entry.demand
                demand.players = entry.running
                return demand
            }
        }
        let shares = FrameShare.divide(max(0, currentLimit - resting), among: demands, decodes: decodes)
        let new = Dictionary(uniqueKeysWithValues: zip(playing, shares))
        var effects = Effects()
        for animation in arrivals {
            let share = new[animation] ?? FrameShare()
            guard entries[animation]?.share != share else { continue }
            entries[animation]?.share = share
            effects.shares[animation] = share
        }
        effects.isIdle = playing.isEmpty
        return effects
    }

    // MARK: Which frame is next

    /// Notes that a player waits for a frame; what it waited for before is forgotten.
    ///
    /// - Parameter isAhead: it is not due yet. Then it is taken only where the budget allows that.
    /// - Returns: `isAccepted`, and the animation when somebody has to `start` to take orders for it.
    mutating func order(
        _ frame: Int, by player: PlayerID, isAhead: Bool
    ) -> (isAccepted: Bool, start: AnimationID?) {
        guard let animation = seats[player]?.animation, let entry = entries[animation],
            !isAhead || entry.share.decodesAhead
        else { return (false, nil) }
        if let place = entry.orders.firstIndex(where: { $0.player == player }) {
            entries[animation]?.orders[place].frame = frame
        } else {
            entries[animation]?.orders.append(Order(player: player, frame: frame))
        }
        entries[animation]?.isDecoding = true
        return (true, entry.isDecoding ? nil : animation)
    }

    /// The order that comes next for an animation. Without one, whoever takes them stops.
    mutating func takeOrder(of animation: AnimationID) -> Order? {
        guard let entry = entries[animation], let first = entry.orders.first else {
            entries[animation]?.isDecoding = false
            return nil
        }
        entries[animation]?.orders.removeFirst()
        return first
    }
}
