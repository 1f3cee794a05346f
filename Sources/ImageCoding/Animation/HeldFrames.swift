import Pixels

/// What an animation holds: the canvases that frames are drawn on, and where these are not what the caller sees, turned
/// or made smaller, the finished pictures besides.
struct HeldFrames {
    var ledger: CanvasLedger
    private let frameCount: Int
    /// Pictures differ from canvases.
    private let isFinishing: Bool
    /// There is room for all pictures.
    private let isKeepingPictures: Bool
    private var isKeepingAll = false
    private var pictures: [Int: Bitmap] = [:]

    init(
        _ header: AnimationHeader, _ composition: Composition, _ options: AnimationOptions, isSequential: Bool = false
    ) {
        frameCount = header.frames.count
        isFinishing = options.isFinishing(header)
        let canvasBytes = Self.byteCost(header.canvas)
        var room = options.keptBytes
        if isFinishing {
            // A finished picture saves a decode and the finishing, so pictures come first.
            let (needed, overflow) = Self.byteCost(options.thumbnail?.size ?? header.size)
                .multipliedReportingOverflow(by: frameCount)
            isKeepingPictures = !overflow && needed <= room
            if isKeepingPictures { room -= needed }
        } else {
            isKeepingPictures = false
        }
        // Two are held in any case, see `AnimationOptions.keptBytes`, and all of a short animation may be.
        let fitting = room / max(1, canvasBytes)
        ledger = CanvasLedger(
            composition, capacity: fitting >= frameCount ? frameCount : max(0, fitting - 2),
            isSequential: isSequential)
    }

    /// A picture that is held.
    mutating func picture(_ index: Int) -> Bitmap? {
        guard isFinishing else {
            let canvas = ledger[index]
            if canvas != nil { ledger.show(index) }
            return canvas
        }
        return pictures[index]
    }

    mutating func add(_ picture: Bitmap, _ index: Int) {
        guard isFinishing else { return }
        if !isKeepingAll && !isKeepingPictures { pictures.removeAll() }
        pictures[index] = picture
        // Nothing will be drawn any more.
        if pictures.count == frameCount { ledger.removeAll() }
    }

    mutating func keepAll(_ isKeepingAll: Bool) {
        self.isKeepingAll = isKeepingAll
        // Canvases are only a way to the pictures.
        if !isFinishing { ledger.keepAll(isKeepingAll) }
        if !isKeepingAll && !isKeepingPictures { pictures.removeAll() }
    }

    mutating func removeAll() {
        ledger.removeAll()
        pictures.removeAll()
    }

    var isComplete: Bool { (isFinishing ? pictures.count : ledger.heldFrames.count) == frameCount }

    var byteCost: Int { ledger.byteCost + pictures.values.reduce(0) { $0 + $1.byteCost } }

    /// As a bitmap of this size has it; `Int.max` for a size that none can have.
    private static func byteCost(_ size: PixelSize) -> Int {
        let (row, isRowTooLong) = max(0, size.width).multipliedReportingOverflow(by: 4)
        guard !isRowTooLong, row <= .max - Bitmap.rowAlignment else { return .max }
        let aligned = (row + Bitmap.rowAlignment - 1) / Bitmap.rowAlignment * Bitmap.rowAlignment
        let (bytes, overflow) = aligned.multipliedReportingOverflow(by: max(0, size.height))
        return overflow ? .max : bytes
    }
}

extension AnimationOptions {
    /// What callers see is not the canvas itself.
    func isFinishing(_ header: AnimationHeader) -> Bool { thumbnail != nil || header.orientation != .up }
}
