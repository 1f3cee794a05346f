import Pixels

/// Which canvases of an animation are held, and which frames have to be drawn to get one that is not.
///
/// A fixed set of frames is kept as they come by: checkpoints so evenly spread that no frame is further than their
/// distance from one, and with the room that is left the first frames, each of which saves a decode in every loop, or the
/// last ones where a source has to be read in order. A set that followed the last use would always have thrown away what a
/// loop needs next.
struct CanvasLedger {
    private let composition: Composition
    /// Canvases worth keeping.
    private let isPlanned: [Bool]
    private var canvases: [Int: Bitmap] = [:]
    private var isKeepingAll = false

    /// How many frames were drawn so far.
    private(set) var drawnFrames = 0

    /// - Parameters:
    ///   - capacity: how many canvases may be kept, besides the last one and the one that the next is drawn on.
    ///   - isSequential: see ``FrameSource/isSequential``.
    init(_ composition: Composition, capacity: Int, isSequential: Bool = false) {
        self.composition = composition
        isPlanned = Self.plan(composition, capacity: capacity, isSequential: isSequential)
    }

    /// How to get a canvas.
    struct Route: Equatable {
        /// The frame whose canvas is held and is drawn on, `nil` for an empty one.
        var start: Int?
        /// The frames to draw, in order.
        var frames: [Int]
    }

    subscript(index: Int) -> Bitmap? { canvases[index] }

    func route(to index: Int) -> Route {
        var frames: [Int] = []
        var next: Int? = index
        while let frame = next, canvases[frame] == nil {
            frames.append(frame)
            next = composition.steps[frame].base
        }
        return Route(start: next, frames: frames.reversed())
    }

    /// Hands out a canvas to draw on; gives it up when it would be dropped anyway, so that it need not be copied.
    mutating func take(_ index: Int, for target: Int) -> Bitmap? {
        isWanted(index, for: target) ? canvases[index] : canvases.removeValue(forKey: index)
    }

    /// Notes that a frame was drawn on the way to `target`, and keeps its canvas if it is of use.
    mutating func add(_ canvas: Bitmap, _ index: Int, for target: Int) {
        drawnFrames += 1
        if isWanted(index, for: target) { canvases[index] = canvas }
    }

    /// Notes which frame is shown, and drops what only others needed.
    mutating func show(_ target: Int) {
        guard canvases.contains(where: { !isWanted($0.key, for: target) }) else { return }
        canvases = canvases.filter { isWanted($0.key, for: target) }
    }

    mutating func keepAll(_ isKeepingAll: Bool) {
        self.isKeepingAll = isKeepingAll
        if !isKeepingAll { canvases = canvases.filter { isPlanned[$0.key] } }
    }

    mutating func removeAll() {
        canvases.removeAll()
    }

    var heldFrames: [Int] { canvases.keys.sorted() }

    var byteCost: Int { canvases.values.reduce(0) { $0 + $1.byteCost } }

    private func isWanted(_ index: Int, for target: Int) -> Bool {
        isKeepingAll || isPlanned[index] || index == target || index == composition.nextBase(after: target)
    }

    private static func plan(_ composition: Composition, capacity: Int, isSequential: Bool) -> [Bool] {
        let count = composition.steps.count
        guard capacity > 0 else { return Array(repeating: false, count: count) }
        guard count > capacity else { return Array(repeating: true, count: count) }
        let distance = (count + capacity - 1) / capacity
        let bases = Set(composition.steps.compactMap(\.base))
        // Between two frames that stand alone a depth has one base at the most, so there is room for all of these.
        var isPlanned = composition.steps.indices.map { index in
            let depth = composition.steps[index].depth
            return depth > 0 && depth % distance == 0 && bases.contains(index)
        }
        var left = capacity - isPlanned.count { $0 }
        for position in isPlanned.indices where left > 0 {
            let index = isSequential ? count - 1 - position : position
            if isPlanned[index] { continue }
            isPlanned[index] = true
            left -= 1
        }
        return isPlanned
    }
}
