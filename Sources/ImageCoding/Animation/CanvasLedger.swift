import Pixels

/// Which canvases of an animation are held, and which frames have to be drawn to get one that is not.
///
/// A fixed set of frames is kept as they come by: checkpoints so evenly spread that no frame is further than their
/// distance from one, and with the room that is left the first frames, each of which saves a decode in every loop, or the
/// last ones where a source has to be read in order. A set that followed the last use would always have thrown away what a
/// loop needs next.
struct CanvasLedger {
    private let composition: Composition
    private let isSequential: Bool
    /// Canvases worth keeping.
    private var isPlanned: [Bool]
    private var isPlanningAll: Bool
    private var canvases: [Int: Bitmap] = [:]
    /// The frame that each viewer saw last.
    private var targets: [FrameViewer: Int] = [:]
    private var isKeepingAll = false
    private var holding: Holding

    /// How many frames were drawn so far.
    private(set) var drawnFrames = 0

    /// What is held for each viewer, whatever is kept besides.
    struct Holding {
        /// The canvas of the frame that was seen last.
        var last = true
        /// The canvas that the next frame is drawn on.
        var base = true
    }

    /// - Parameters:
    ///   - capacity: how many canvases may be kept, besides what is held for viewers.
    ///   - isSequential: see ``FrameSource/isSequential``.
    init(
        _ composition: Composition, capacity: Int, isSequential: Bool = false, holding: Holding = Holding()
    ) {
        self.composition = composition
        self.isSequential = isSequential
        self.holding = holding
        isPlanned = Self.plan(composition, capacity: capacity, isSequential: isSequential)
        isPlanningAll = capacity >= composition.steps.count
    }

    /// Keeps more from now on, or less at once.
    mutating func keep(capacity: Int, holding: Holding) {
        let isPlanningAll = capacity >= composition.steps.count
        if !isPlanningAll || !self.isPlanningAll {
            isPlanned = Self.plan(composition, capacity: capacity, isSequential: isSequential)
        }
        self.isPlanningAll = isPlanningAll
        self.holding = holding
        drop()
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
    mutating func take(_ index: Int, for target: Int, of viewer: FrameViewer) -> Bitmap? {
        isWanted(index, for: target, of: viewer) ? canvases[index] : canvases.removeValue(forKey: index)
    }

    /// Notes that a frame was drawn on a viewer's way to `target`, and keeps its canvas if it is of use.
    mutating func add(_ canvas: Bitmap, _ index: Int, for target: Int, of viewer: FrameViewer) {
        drawnFrames += 1
        if isWanted(index, for: target, of: viewer) { canvases[index] = canvas }
    }

    /// Notes which frame a viewer sees, and drops what nobody needs any more.
    mutating func show(_ target: Int, to viewer: FrameViewer) {
        targets[viewer] = target
        if !isPlanningAll { drop() }
    }

    /// Takes the canvas of the frame that a viewer has stopped at, for when it goes on.
    mutating func settle(_ canvas: Bitmap, _ index: Int, for viewer: FrameViewer) {
        show(index, to: viewer)
        if canvases[index] == nil, isWanted(index, for: index, of: viewer) { canvases[index] = canvas }
    }

    /// Takes the canvases of the same frames from elsewhere, as far as they are wanted here, and a viewer's place.
    mutating func take(from other: CanvasLedger, for viewer: FrameViewer) {
        targets[viewer] = other.targets[viewer]
        for (index, canvas) in other.canvases where canvases[index] == nil && isWanted(index) {
            canvases[index] = canvas
        }
    }

    /// Drops what was held for a viewer alone.
    mutating func leave(_ viewer: FrameViewer) {
        if targets.removeValue(forKey: viewer) != nil { drop() }
    }

    mutating func keepAll(_ isKeepingAll: Bool) {
        self.isKeepingAll = isKeepingAll
        if !isKeepingAll { canvases = canvases.filter { isPlanned[$0.key] } }
    }

    mutating func removeAll() {
        canvases.removeAll()
    }

    var heldFrames: [Int] { canvases.keys.sorted() }

    var heldCanvases: some Sequence<Bitmap> { canvases.values }

    var byteCost: Int { canvases.values.reduce(0) { $0 + $1.byteCost } }

    private mutating func drop() {
        guard canvases.contains(where: { !isWanted($0.key) }) else { return }
        canvases = canvases.filter { isWanted($0.key) }
    }

    private func isWanted(_ index: Int) -> Bool {
        isKeepingAll || isPlanned[index] || targets.values.contains { isHeld(index, for: $0) }
    }

    /// As if the viewer had come to the target already.
    private func isWanted(_ index: Int, for target: Int, of viewer: FrameViewer) -> Bool {
        isKeepingAll || isPlanned[index] || isHeld(index, for: target)
            || targets.contains { $0.key != viewer && isHeld(index, for: $0.value) }
    }

    private func isHeld(_ index: Int, for target: Int) -> Bool {
        holding.last && index == target || holding.base && index == composition.nextBase(after: target)
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
