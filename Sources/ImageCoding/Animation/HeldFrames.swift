import Pixels

/// What an animation holds: the canvases that frames are drawn on, and where these are not what the caller sees, turned
/// or made smaller, the finished pictures besides.
struct HeldFrames {
    var ledger: CanvasLedger
    private let frameCount: Int
    /// Pictures differ from canvases.
    let isFinishing: Bool
    /// What one of each takes.
    let canvasBytes: Int, pictureBytes: Int
    /// There is room for all pictures.
    private var isKeepingPictures: Bool
    private var isKeepingAll = false
    private var pictures: [Int: Bitmap] = [:]
    /// The picture that each viewer saw last, where pictures differ from canvases.
    private var shown: [FrameViewer: Int] = [:]

    init(
        _ header: AnimationHeader, _ composition: Composition, _ options: AnimationOptions, isSequential: Bool = false
    ) {
        frameCount = header.frames.count
        isFinishing = options.isFinishing(header)
        canvasBytes = Self.byteCost(header.canvas)
        pictureBytes = isFinishing ? Self.byteCost(options.thumbnail?.size ?? header.size) : canvasBytes
        let room = Self.room(
            options.keptBytes, frameCount, canvasBytes, pictures: isFinishing ? pictureBytes : nil)
        isKeepingPictures = room.isForPictures
        ledger = CanvasLedger(composition, capacity: room.canvases, isSequential: isSequential)
    }

    /// Keeps more from now on, or less at once.
    ///
    /// - Parameter isHoldingBases: whether the canvas that the next frame is drawn on is held. Without it a frame that
    ///   lies on others is drawn from the last one that stands alone.
    mutating func keep(bytes: Int, isHoldingBases: Bool) {
        let room = Self.room(bytes, frameCount, canvasBytes, pictures: isFinishing ? pictureBytes : nil)
        isKeepingPictures = room.isForPictures
        ledger.keep(
            capacity: room.canvases,
            holding: CanvasLedger.Holding(last: isHoldingBases || !isFinishing, base: isHoldingBases))
        dropPictures()
    }

    /// How `bytes` are divided.
    private static func room(
        _ bytes: Int, _ frameCount: Int, _ canvasBytes: Int, pictures pictureBytes: Int?
    ) -> (isForPictures: Bool, canvases: Int) {
        var room = bytes
        var isForPictures = false
        if let pictureBytes {
            // A finished picture saves a decode and the finishing, so pictures come first.
            let (needed, overflow) = pictureBytes.multipliedReportingOverflow(by: frameCount)
            isForPictures = !overflow && needed <= room
            if isForPictures { room -= needed }
        }
        // Two are held in any case, see `AnimationOptions.keptBytes`, and all of a short animation may be.
        let fitting = room / max(1, canvasBytes)
        return (isForPictures, fitting >= frameCount ? frameCount : max(0, fitting - 2))
    }

    /// A picture that is held; then the viewer sees it now.
    mutating func picture(_ index: Int, for viewer: FrameViewer) -> Bitmap? {
        guard isFinishing else {
            let canvas = ledger[index]
            if canvas != nil { ledger.show(index, to: viewer) }
            return canvas
        }
        guard let picture = pictures[index] else { return nil }
        shown[viewer] = index
        dropPictures()
        return picture
    }

    mutating func add(_ picture: Bitmap, _ index: Int, for viewer: FrameViewer) {
        guard isFinishing else { return }
        pictures[index] = picture
        shown[viewer] = index
        dropPictures()
        // Nothing will be drawn any more.
        if pictures.count == frameCount { ledger.removeAll() }
    }

    /// Takes what is held of the same frames elsewhere, as far as it is worth holding.
    mutating func take(from other: HeldFrames, for viewer: FrameViewer) {
        ledger.take(from: other.ledger, for: viewer)
        guard isFinishing, other.isFinishing else { return }
        shown[viewer] = other.shown[viewer]
        pictures.merge(other.pictures) { own, _ in own }
        dropPictures()
    }

    /// A viewer stops at a picture that was got from here, and may go on from it.
    mutating func settle(_ picture: Bitmap, _ index: Int, for viewer: FrameViewer) {
        guard isFinishing else { return ledger.settle(picture, index, for: viewer) }
        ledger.leave(viewer)
        pictures[index] = picture
        shown[viewer] = index
        dropPictures()
    }

    /// Drops what was held for a viewer alone.
    mutating func leave(_ viewer: FrameViewer) {
        ledger.leave(viewer)
        shown[viewer] = nil
        dropPictures()
    }

    private mutating func dropPictures() {
        guard isFinishing, !isKeepingAll, !isKeepingPictures else { return }
        let seen = Set(shown.values)
        if pictures.keys.contains(where: { !seen.contains($0) }) {
            pictures = pictures.filter { seen.contains($0.key) }
        }
    }

    mutating func keepAll(_ isKeepingAll: Bool) {
        self.isKeepingAll = isKeepingAll
        // Canvases are only a way to the pictures.
        if !isFinishing { ledger.keepAll(isKeepingAll) }
        if !isKeepingAll && !isKeepingPictures { pictures.removeAll() }
    }

    /// How many frames have to be drawn for one.
    func distance(to index: Int) -> Int {
        isFinishing && pictures[index] != nil ? 0 : ledger.route(to: index).frames.count
    }

    /// All that is held, each picture once where it is a canvas too.
    var bitmaps: [Bitmap] { Array(ledger.heldCanvases) + pictures.values }

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
