/// What one animation may hold of the frame budget.
struct FrameShare: Equatable, Sendable {
    /// See `AnimationOptions.keptBytes`.
    var keptBytes = 0
    /// Whether the canvas that the next frame is drawn on is held where it is not the frame that is shown.
    var isHoldingBases = false
    /// Whether a frame is decoded before it is due.
    var decodesAhead = false
}

/// What one animation could make use of.
struct FrameDemand: Equatable, Sendable {
    var frameCount: Int
    /// What a frame takes as it is shown, in bytes.
    var pictureBytes: Int
    /// What a frame takes as it is composed, in bytes.
    var canvasBytes: Int
    /// Frames are composed apart from what is shown, so that there is a canvas besides.
    var isFinishing = false
    /// Some frame is drawn on an older canvas than that of the frame before it.
    var isUncovering = false
    /// How many play it.
    var players = 1

    /// What is on the screen, whatever the budget says.
    var shown: Int { min(players, frameCount) * pictureBytes }

    /// The canvases that the next frames are drawn on.
    var bases: Int { isFinishing || isUncovering ? players * canvasBytes : 0 }

    /// One more frame for each player.
    var ahead: Int { (min(2 * players, frameCount) - min(players, frameCount)) * pictureBytes }

    /// All frames.
    var all: Int { frameCount * pictureBytes }

    /// What a decode takes while it is under way.
    var decode: Int { canvasBytes + (isFinishing ? pictureBytes : 0) }
}

extension FrameShare {
    /// Divides the budget.
    ///
    /// What is on the screen is there in any case, and so is room for the decodes that can be under way. Of the rest
    /// everybody gets what saves the most first: the canvas without which a frame has to be drawn from far back, then a
    /// frame that is decoded before it is due, the cheapest first, so that as many as possible play well. What is left is
    /// divided evenly; who needs less than an even part leaves the rest to the others. It is used for frames that the next
    /// loop need not decode.
    ///
    /// - Parameters:
    ///   - limit: bytes.
    ///   - decodes: how many can be under way at once.
    /// - Returns: one share for each demand, in the same order.
    static func divide(_ limit: Int, among demands: [FrameDemand], decodes: Int) -> [FrameShare] {
        var shares = Array(repeating: FrameShare(), count: demands.count)
        let working = (demands.map(\.decode).max() ?? 0) * min(decodes, demands.count)
        var left = limit - working - demands.reduce(0) { $0 + $1.shown }

        for index in demands.indices.sorted(by: { demands[$0].bases < demands[$1].bases }) {
            shares[index].isHoldingBases = demands[index].bases == 0 || demands[index].bases <= left
            if shares[index].isHoldingBases { left -= demands[index].bases }
        }
        for index in demands.indices.sorted(by: { demands[$0].ahead < demands[$1].ahead }) {
            shares[index].decodesAhead = shares[index].isHoldingBases && demands[index].ahead <= max(0, left)
            if shares[index].decodesAhead { left -= demands[index].ahead }
        }

        // The bytes that are spoken for already count towards all frames.
        let wishes = demands.indices.filter { shares[$0].decodesAhead }
            .map { (index: $0, bytes: max(0, demands[$0].all - demands[$0].shown - demands[$0].ahead)) }
            .sorted { $0.bytes < $1.bytes }
        for (position, wish) in wishes.enumerated() {
            let even = max(0, left) / (wishes.count - position)
            let demand = demands[wish.index]
            if wish.bytes <= even {
                shares[wish.index].keptBytes = demand.all
                left -= wish.bytes
            } else if !demand.isFinishing {
                // Two frames are the animation's in any case.
                shares[wish.index].keptBytes = 2 * demand.canvasBytes + even
                left -= even
            }
        }
        return shares
    }
}
