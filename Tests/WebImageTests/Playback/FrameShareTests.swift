import Testing
import WebImageTesting

@testable import WebImage

@Suite("How the frame budget is divided")
struct FrameShareTests {
    private func demand(_ frames: Int, of bytes: Int, players: Int = 1, canvas: Int? = nil) -> FrameDemand {
        FrameDemand(
            frameCount: frames, pictureBytes: bytes, canvasBytes: canvas ?? bytes, isFinishing: canvas != nil,
            players: players)
    }

    private func divide(_ limit: Int, _ demands: [FrameDemand]) -> [FrameShare] {
        FrameShare.divide(limit, among: demands, decodes: 1)
    }

    @Test("P1 C265: one that fits is held whole, and one that does not gets what there is")
    func single() {
        let all = FrameShare(keptBytes: 600, isHoldingBases: true, decodesAhead: true)
        #expect(divide(700, [demand(60, of: 10)]) == [all])
        // Ten for a decode, ten on the screen, ten ahead.
        #expect(
            divide(100, [demand(60, of: 10)]) == [
                FrameShare(keptBytes: 20 + 70, isHoldingBases: true, decodesAhead: true)
            ])
        #expect(divide(0, [demand(60, of: 10)]) == [FrameShare(keptBytes: 0, isHoldingBases: true)])
        #expect(divide(100, []).isEmpty)
    }

    @Test("P26 C270: players of one animation need its frames once")
    func shared() {
        let all = FrameShare(keptBytes: 600, isHoldingBases: true, decodesAhead: true)
        #expect(divide(610, [demand(60, of: 10, players: 50)]) == [all])
        #expect(divide(610, [demand(60, of: 10, players: 5_000)]) == [all])
    }

    @Test("P1: what one does not need is left to the others, and those get even parts")
    func even() {
        let shares = divide(1_030, [demand(100, of: 10), demand(5, of: 10), demand(100, of: 10)])
        // 10 + 3 × 10 + 3 × 10 are spoken for, 30 more make the small one whole, and 930 are left for two.
        #expect(shares.map(\.keptBytes) == [20 + 465, 50, 20 + 465])
    }

    @Test("P1: frames ahead go to as many as possible, and the canvas that saves decodes comes before them")
    func short() {
        let small = demand(100, of: 10, canvas: 100)
        let large = demand(100, of: 10, canvas: 300)
        // A decode takes 310 and what is on the screen 20.
        #expect(divide(330, [large, small]) == [FrameShare(), FrameShare()])
        #expect(
            divide(430, [large, small]) == [FrameShare(), FrameShare(isHoldingBases: true)])
        #expect(
            divide(440, [large, small]) == [FrameShare(), FrameShare(isHoldingBases: true, decodesAhead: true)])
    }

    @Test("P1: no division goes beyond the budget, or gives anybody more than is of use", arguments: 0..<2_000)
    func random(seed: UInt64) {
        var numbers = SeededGenerator(seed: seed)
        let demands = (0..<Int.random(in: 1...60, using: &numbers)).map { _ in
            let isFinishing = Bool.random(using: &numbers)
            let canvas = Int.random(in: 1...1_000, using: &numbers)
            return FrameDemand(
                frameCount: .random(in: 2...300, using: &numbers),
                pictureBytes: isFinishing ? .random(in: 1...1_000, using: &numbers) : canvas, canvasBytes: canvas,
                isFinishing: isFinishing, isUncovering: .random(using: &numbers),
                players: .random(in: 1...5, using: &numbers))
        }
        let limit = Int.random(in: 0...200_000, using: &numbers)
        let decodes = Int.random(in: 1...4, using: &numbers)
        let shares = FrameShare.divide(limit, among: demands, decodes: decodes)
        #expect(shares.count == demands.count)

        let onScreen = demands.reduce(0) { $0 + $1.shown }
        let working = (demands.map(\.decode).max() ?? 0) * min(decodes, demands.count)
        var held = onScreen + working
        for (demand, share) in zip(demands, shares) {
            if share.isHoldingBases { held += demand.bases }
            if share.decodesAhead { held += demand.ahead }
            let inAnyCase = demand.isFinishing ? 0 : 2 * demand.canvasBytes
            if share.keptBytes == demand.all {
                held += max(0, demand.all - demand.shown - demand.ahead)
            } else if share.keptBytes > 0 {
                held += share.keptBytes - inAnyCase
                #expect(share.decodesAhead && share.keptBytes - inAnyCase < demand.all)
            }
        }
        #expect(held <= max(limit, onScreen + working))
        // Who needs less has not less.
        for (demand, share) in zip(demands, shares) {
            for (other, otherShare) in zip(demands, shares) {
                if demand.bases < other.bases, otherShare.isHoldingBases { #expect(share.isHoldingBases) }
            }
        }
    }
}
