import Testing
import WebImageTesting

@testable import WebImage

@Suite("Who plays, and what each holds")
struct FrameSeatsTests {
    private final class Thing {}

    private let start = ContinuousClock.now
    private let things = (0..<8).map { _ in Thing() }
    private let demand = FrameDemand(frameCount: 10, pictureBytes: 100, canvasBytes: 100)

    private func seats(limit: Int = 100_000) -> FrameSeats {
        FrameSeats(limit: limit, decodes: 2, grace: .milliseconds(500))
    }

    private func id(_ index: Int) -> ObjectIdentifier { ObjectIdentifier(things[index]) }

    @Test("P28: what nobody sees any more is kept for a moment and then gone, unless somebody looks again")
    func grace() {
        var seats = seats()
        seats.join(1, id(0), demand)
        #expect(seats.share(of: id(0)) == FrameShare())
        let playing = seats.set(.running, of: 1, at: start)
        #expect(playing.shares[id(0)]?.keptBytes == 1_000)

        let hiding = seats.set(.hidden, of: 1, at: start)
        #expect(hiding == FrameSeats.Effects() && seats.nextDeadline == start + .milliseconds(500))
        let early = seats.advance(to: start + .milliseconds(499))
        #expect(early == FrameSeats.Effects())
        _ = seats.set(.running, of: 1, at: start + .milliseconds(499))
        #expect(seats.nextDeadline == nil)

        _ = seats.set(.resting, of: 1, at: start + .seconds(2))
        // Hidden afterwards: not later than it would have rested.
        _ = seats.set(.hidden, of: 1, at: start + .seconds(2) + .milliseconds(400))
        let over = seats.advance(to: start + .seconds(2) + .milliseconds(500))
        #expect(over == FrameSeats.Effects(cleared: [1], shares: [id(0): FrameShare()], isIdle: true))
        #expect(seats.nextDeadline == nil)
    }

    @Test("P28 C276: who gives up at once is given no moment")
    func atOnce() {
        var seats = seats()
        seats.join(1, id(0), demand)
        _ = seats.set(.running, of: 1, at: start)
        let effects = seats.set(.resting, of: 1, at: start, isAtOnce: true)
        #expect(effects == FrameSeats.Effects(settled: [1], shares: [id(0): FrameShare()], isIdle: true))
    }

    @Test("P1: who comes takes from those who have most, and who goes leaves it to them")
    func division() {
        var seats = seats(limit: 2_400)
        for player in 1...2 { seats.join(UInt64(player), id(player), demand) }
        _ = seats.set(.running, of: 1, at: start)
        #expect(seats.share(of: id(1)).keptBytes == 1_000)
        _ = seats.set(.running, of: 2, at: start)
        #expect(seats.share(of: id(1)).keptBytes == 1_000 && seats.share(of: id(2)).keptBytes == 1_000)
        let less = seats.setLimit(1_600)
        // Of 1,600 two decodes take 200, two players 400.
        #expect(less.shares.values.allSatisfy { $0.keptBytes == 200 + 500 } && less.shares.count == 2)
        let alone = seats.leave(2)
        #expect(alone.shares == [id(1): FrameShare(keptBytes: 1_000, isHoldingBases: true, decodesAhead: true)])
        #expect(!seats.knows(id(2)) && seats.knows(id(1)))
    }

    @Test("P1: when memory is short less is held for ten seconds")
    func relief() {
        var seats = seats(limit: 2_000)
        seats.join(1, id(0), demand)
        _ = seats.set(.running, of: 1, at: start)
        let effects = seats.relieve(to: 0, at: start)
        #expect(effects.shares[id(0)] == FrameShare(isHoldingBases: true))
        #expect(seats.nextDeadline == start + .seconds(10))
        let after = seats.advance(to: start + .seconds(10))
        #expect(after.shares[id(0)]?.keptBytes == 1_000)
    }

    @Test("P28: orders are taken in turn, one at a time for an animation, none for who is gone")
    func orders() {
        var seats = seats()
        for player in 1...3 { seats.join(UInt64(player), id(0), demand) }
        let early = seats.order(4, by: 1, isAhead: true)
        #expect(!early.isAccepted && early.start == nil)
        let first = seats.order(4, by: 1, isAhead: false)
        #expect(first.isAccepted && first.start == id(0))
        for player in 2...3 {
            let next = seats.order(player, by: UInt64(player), isAhead: false)
            #expect(next.isAccepted && next.start == nil)
        }
        _ = seats.order(5, by: 1, isAhead: false)
        _ = seats.leave(2)
        let taken = (0..<3).map { _ in seats.takeOrder(of: id(0)) }
        #expect(taken == [FrameSeats.Order(player: 1, frame: 5), FrameSeats.Order(player: 3, frame: 3), nil])
        let again = seats.order(6, by: 1, isAhead: false)
        #expect(again.start == id(0))
    }

    @Test(
        "P1 P28: a random walk of players keeps within the budget and holds nothing for those who are gone",
        arguments: 0..<40)
    func walk(seed: UInt64) {
        var numbers = SeededGenerator(seed: seed)
        var seats = seats(limit: .random(in: 0...6_000, using: &numbers))
        var now = start
        var players: [UInt64: (animation: Int, standing: FrameSeats.Standing)] = [:]
        var shares: [ObjectIdentifier: FrameShare] = [:]
        for step in 1...1_500 {
            var effects = FrameSeats.Effects()
            let player = UInt64.random(in: 1...20, using: &numbers)
            switch Int.random(in: 0..<12, using: &numbers) {
            case 0 where players[player] == nil:
                let animation = Int.random(in: 0..<things.count, using: &numbers)
                seats.join(player, id(animation), demand)
                players[player] = (animation, .hidden)
            case 1:
                effects = seats.leave(player)
                if let gone = players.removeValue(forKey: player),
                    !players.values.contains(where: { $0.animation == gone.animation })
                {
                    shares[id(gone.animation)] = nil
                    #expect(!seats.knows(id(gone.animation)))
                }
            case 2 where players[player] != nil:
                let animation = Int.random(in: 0..<things.count, using: &numbers)
                effects = seats.move(player, to: id(animation), demand)
                let old = players[player]?.animation ?? animation
                players[player]?.animation = animation
                if !seats.knows(id(old)) { shares[id(old)] = nil }
            case 3...8 where players[player] != nil:
                let standing = FrameSeats.Standing(rawValue: .random(in: 0...2, using: &numbers)) ?? .hidden
                effects = seats.set(standing, of: player, at: now)
                players[player]?.standing = standing
            case 9: effects = seats.relieve(to: .random(in: 0...2_000, using: &numbers), at: now)
            default:
                now += .milliseconds(.random(in: 0...700, using: &numbers))
                effects = seats.advance(to: now)
                #expect(seats.nextDeadline.map { $0 > now } ?? true)
            }
            for (animation, share) in effects.shares { shares[animation] = share }
            for player in effects.cleared { #expect(players[player]?.standing == .hidden) }
            for player in effects.settled { #expect(players[player]?.standing == .resting) }
            for (index, _) in things.enumerated() where seats.knows(id(index)) {
                guard seats.share(of: id(index)) == shares[id(index)] ?? FrameShare() else {
                    Issue.record("seed \(seed), step \(step): a share was not told")
                    return
                }
            }
        }
        // A second later only those who play have something.
        _ = seats.advance(to: now + .seconds(11))
        for index in things.indices {
            let isPlayed = players.values.contains { $0.animation == index && $0.standing == .running }
            #expect(isPlayed || seats.share(of: id(index)) == FrameShare())
        }
        #expect(seats.nextDeadline == nil)
    }
}
