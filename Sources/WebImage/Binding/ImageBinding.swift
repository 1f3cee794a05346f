#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// The places for pictures of one view, by their keys. They load independently of each other.
///
/// A toolkit's adapter keeps one for each view, for as long as the view lives, and says ``close()`` when it does not.
@MainActor
public final class ImageBinding {
    private let pipeline: ImagePipeline
    private let target: any ImageTarget
    private var slots = SmallMap<SlotKey, ImageSlot>()
    private var isHidden = false
    private var isClosed = false

    /// - Parameters:
    ///   - pipeline: what loads.
    ///   - target: shows the pictures of all slots; kept as long as the binding is.
    public init(pipeline: ImagePipeline = .shared, target: any ImageTarget) {
        self.pipeline = pipeline
        self.target = target
    }

    /// The slot of a key, made when it is first asked for.
    public subscript(key: SlotKey) -> ImageSlot {
        if let slot = slots[key] { return slot }
        let slot = ImageSlot(key, pipeline: pipeline, target: target)
        if isHidden { slot.setHidden(true) }
        if isClosed { slot.close() }
        slots[key] = slot
        return slot
    }

    /// The address that a slot was last asked to show, or that of ``SlotKey/image`` where the slot has none of its own.
    public func url(in key: SlotKey) -> URL? { slots[key]?.url ?? slots[.image]?.url }

    /// Ends the loads of all slots as cancelled.
    public func cancel() { forEach { $0.cancel() } }

    /// Empties all slots, ready for the view's next use.
    public func reset() { forEach { $0.reset() } }

    /// Says whether nobody can see the view.
    public func setHidden(_ isHidden: Bool) {
        self.isHidden = isHidden
        forEach { $0.setHidden(isHidden) }
    }

    /// The view is gone.
    public func close() {
        isClosed = true
        forEach { $0.close() }
    }

    /// Calls `body` with every slot that was ever asked for.
    public func forEach(_ body: (ImageSlot) -> Void) {
        for key in slots.keys { if let slot = slots[key] { body(slot) } }
    }
}
