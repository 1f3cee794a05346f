import Pixels

/// What each frame is drawn on: the canvas of an earlier frame, or nothing.
///
/// Disposal speaks of what happens after a frame. Seen from the next frame it names a canvas that was there before and a
/// part of it that was cleared, so that a canvas, once composed, never changes and may be kept.
struct Composition {
    struct Step: Equatable {
        /// The frame whose composed canvas this one is drawn on; `nil` for an empty canvas.
        var base: Int?
        /// The part of that canvas which is cleared first.
        var cleared: PixelRect?
        /// How many frames have to be drawn before this one when nothing is kept.
        var depth: Int
        /// The frame alone makes up the whole canvas.
        var isWhole: Bool
    }

    private(set) var steps: [Step] = []
    private var nextBases: [Int?] = []
    /// No frame leaves a pixel of the canvas transparent.
    private(set) var isOpaque = true

    init(_ header: AnimationHeader) {
        let whole = PixelRect(header.canvas)
        steps.reserveCapacity(header.frames.count)
        // What the next frame finds.
        var base: Int?
        var cleared: PixelRect?
        for (index, frame) in header.frames.enumerated() {
            let place = frame.place.clamped(to: header.canvas)
            let isWhole = place == whole && (frame.blending == .replace || !frame.hasAlpha)
            let drawn = isWhole ? nil : base
            steps.append(
                Step(
                    base: drawn, cleared: drawn == nil ? nil : cleared, depth: drawn.map { steps[$0].depth + 1 } ?? 0,
                    isWhole: isWhole))
            if drawn == nil ? place != whole || frame.hasAlpha : cleared != nil || isReplacing(frame) {
                isOpaque = false
            }
            switch frame.disposal {
            case .keep: (base, cleared) = (index, nil)
            case .clear: (base, cleared) = place == whole ? (nil, nil) : (index, place.isEmpty ? nil : place)
            case .restore: break
            }
        }
        findNextBases(header.frames)
    }

    /// The canvas that later frames are still drawn on once this one has been shown; after the last it begins anew.
    func nextBase(after index: Int) -> Int? { nextBases[index] }

    private mutating func findNextBases(_ frames: [FrameHeader]) {
        nextBases = Array(repeating: nil, count: frames.count)
        for index in frames.indices.dropLast().reversed() {
            // A frame that covers everything and is taken away again uncovers what was there before.
            let isUncovering = steps[index + 1].base == nil && frames[index + 1].disposal == .restore
            nextBases[index] = isUncovering ? nextBases[index + 1] : steps[index + 1].base
        }
    }
}

/// The frame can make pixels transparent that were not.
private func isReplacing(_ frame: FrameHeader) -> Bool {
    frame.blending == .replace && frame.hasAlpha
}
