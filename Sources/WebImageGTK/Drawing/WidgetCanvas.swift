#if GTK
import CGTK
import CGTKShim
import Pixels
import WebImage

/// A `GdkPaintable` that draws what the slots of one view show.
///
/// The background lies behind the picture; the alternate picture stands in its place while the widget is checked, selected
/// or under the pointer. Slots of other names are not drawn.
@MainActor
final class WidgetCanvas: ImageTarget {
    /// The `GdkPaintable`, until it is gone. It keeps this object; whoever owns a reference to it may use both.
    private(set) var paintable: OpaquePointer?
    /// How many pixels of the screen one unit of the toolkit has.
    var scale = 1.0 { didSet { if scale != oldValue { updateSize() } } }
    /// Whether the alternate picture is shown where there is one.
    var showsAlternate = false { didSet { if showsAlternate != oldValue { updateSize(); invalidate() } } }
    /// Is told the size when GTK draws.
    var onDraw: (@MainActor () -> Void)?
    /// Is told that frames are needed; `false` when there will be none.
    var requestFrames: (@MainActor () -> Bool)?

    /// Whether somebody can see the widget: what nobody sees does not move.
    var isVisible = false { didSet { for layer in layers.values { layer.current.animation?.isVisible = isVisible } } }
    /// Whether the user likes things to move.
    var mayAnimate = true {
        didSet {
            guard mayAnimate != oldValue else { return }
            for layer in layers.values { layer.current.animation?.player.prefersReducedMotion = !mayAnimate }
        }
    }

    private var layers: [SlotKey: SlotLayers] = [:]
    private var isDrawing = false
    private var isStale = false

    private init() {}

    /// A canvas whose `paintable` belongs to the caller.
    static func make() -> WidgetCanvas {
        let canvas = WidgetCanvas()
        canvas.paintable = webimage_paintable_new(
            { context, snapshot, width, height in
                guard let context, let snapshot else { return }
                onMain((context, snapshot)) { context, snapshot in
                    Unmanaged<WidgetCanvas>.fromOpaque(context).takeUnretainedValue().draw(snapshot, width, height)
                }
            }, Unmanaged.passRetained(canvas).toOpaque(),
            { context in
                guard let context else { return }
                let canvas = Unmanaged<WidgetCanvas>.fromOpaque(context)
                onMain(canvas) { $0.takeUnretainedValue().paintable = nil }
                canvas.release()
            })
        return canvas
    }

    // MARK: What slots say

    func show(
        _ content: SlotContent, in slot: SlotKey, transition: ImageTransition?, whenShown: (@MainActor () -> Void)?
    ) {
        let layer: PictureLayer
        switch content {
        case .nothing: layer = .nothing
        case .placeholder(let standIn), .failure(let standIn):
            layer = Self.layer { () throws(TextureError) in try PictureLayer(standIn) }
        case .preview(let preview):
            if goesOn(with: preview.animation, preview.bitmap, isGrowing: true, in: slot) { return }
            layer =
                preview.animation == nil
                ? Self.layer { () throws(TextureError) in try PictureLayer(preview) }
                : pictureLayer(preview.animation, preview.bitmap, isGrowing: true, in: slot)
        case .picture(let response):
            if transition == nil, let shown = layers[slot], shown.progress == nil, shown.current.shows(response) {
                shown.current.animation?.take(shown.playback)
                whenShown?()
                return
            }
            // What moves already does not fade into itself.
            if goesOn(with: response.animation, response.bitmap, isGrowing: false, in: slot) {
                for tell in [layers[slot]?.endTransition(), whenShown].compactMap(\.self) { tell() }
                return
            }
            layer = pictureLayer(response.animation, response.bitmap, isGrowing: false, in: slot)
        }
        let moves = transition != nil && requestFrames?() == true
        // Who is told of the new picture may let the widget go, and with it the paintable.
        let kept = paintable.map { g_object_ref(UnsafeMutableRawPointer($0)) }
        defer { if let kept { g_object_unref(kept) } }
        let ended = layers[slot, default: SlotLayers()].show(
            layer, transition: moves ? transition : nil, whenShown: whenShown)
        updateSize()
        invalidate()
        for tell in ended { tell() }
    }

    func indicate(_ activity: SlotActivity, in slot: SlotKey) {
        let isDrawn = layers[slot, default: SlotLayers()].activity.note(activity)
        if case .custom(let tell) = layers[slot]?.activity.indicator { tell(activity) }
        guard isDrawn else { return }
        if layers[slot]?.needsFrames == true { _ = requestFrames?() }
        invalidate()
    }

    /// Says how what comes next in a slot is indicated and played.
    func prepare(_ slot: SlotKey, indicator: ActivityIndicator, playback: WidgetPlayback) {
        // Most slots have neither, and need no entry before they show something.
        if case .none = indicator, playback == WidgetPlayback(), layers[slot] == nil { return }
        if case .custom(let tell) = layers[slot]?.activity.active { tell(.ended) }
        layers[slot, default: SlotLayers()].prepare(indicator, playback)
    }

    /// Whether something moves that is not an animation.
    var needsFrames: Bool { layers.values.contains { $0.needsFrames } }

    /// How far the transition of a slot is; nil when none runs.
    func progress(in slot: SlotKey) -> Double? { layers[slot]?.progress }

    /// What plays the animation of a slot; nil for what does not move.
    func player(in slot: SlotKey) -> AnimatedImagePlayer? { layers[slot]?.current.animation?.player }

    /// Whether a slot shows pixels.
    func showsPixels(in slot: SlotKey) -> Bool { layers[slot]?.current.size != nil }

    /// Lets go of everything.
    func clear() {
        var ended = layers.keys.compactMap { layers[$0]?.endTransition() }
        for layer in layers.values {
            if case .custom(let tell) = layer.activity.active { ended.append { tell(.ended) } }
        }
        layers = [:]
        invalidate()
        for tell in ended { tell() }
    }

    // MARK: Frames

    /// Goes on to the time of a frame, in microseconds.
    ///
    /// - Returns: whether another frame is needed.
    func advance(to time: Int64) -> Bool {
        var ended: [@MainActor () -> Void] = []
        for key in layers.keys where layers[key]?.needsFrames == true {
            if let end = layers[key]?.advance(to: time) { ended.append(end) }
            invalidate()
        }
        for tell in ended { tell() }
        return needsFrames
    }

    /// Ends transitions that nobody sees.
    func endTransitions() {
        let ended = layers.keys.compactMap { layers[$0]?.endTransition() }
        if !ended.isEmpty { invalidate() }
        for tell in ended { tell() }
    }

    // MARK: Drawing

    private var front: SlotKey {
        guard showsAlternate, let alternate = layers[.alternate], !alternate.current.isNothing else { return .image }
        return .alternate
    }

    private func draw(_ snapshot: OpaquePointer, _ width: Double, _ height: Double) {
        isDrawing = true
        onDraw?()
        let box = graphene_rect_t(
            origin: graphene_point_t(x: 0, y: 0),
            size: graphene_size_t(width: Float(width), height: Float(height)))
        layers[.background]?.draw(snapshot, in: box)
        layers[front]?.draw(snapshot, in: box)
        isDrawing = false
        guard isStale else { return }
        // What has changed meanwhile is drawn already, but who shows this has not heard of it.
        isStale = false
        Task { [weak self] in
            self?.updateSize()
            self?.invalidate()
        }
    }

    private func invalidate() {
        guard !isDrawing else { return isStale = true }
        if let paintable { gdk_paintable_invalidate_contents(paintable) }
    }

    private func updateSize() {
        guard let paintable else { return }
        if isDrawing { return isStale = true }
        let size = layers[front]?.current.size
        webimage_paintable_set_size(
            paintable, size.map { Double($0.width) / scale } ?? 0, size.map { Double($0.height) / scale } ?? 0)
    }

    /// Has an animation go on that is shown, if this is the same one.
    private func goesOn(
        with animation: AnimatedImage?, _ poster: Bitmap, isGrowing: Bool, in slot: SlotKey
    ) -> Bool {
        guard let animation, let shown = layers[slot], let layer = shown.current.animation,
            layer.goOn(with: animation, poster: poster, isGrowing: isGrowing)
        else { return false }
        layer.take(shown.playback)
        updateSize()
        invalidate()
        return true
    }

    private func pictureLayer(
        _ animation: AnimatedImage?, _ poster: Bitmap, isGrowing: Bool, in slot: SlotKey
    ) -> PictureLayer {
        Self.layer { () throws(TextureError) in
            guard let animation else { return try PictureLayer(.bitmap(poster)) }
            let layer = try AnimationLayer(
                animation, poster: poster, isGrowing: isGrowing, playback: layers[slot]?.playback ?? WidgetPlayback(),
                redraw: { [weak self] in self?.invalidate() })
            layer.isVisible = isVisible
            layer.player.prefersReducedMotion = !mayAnimate
            return .animation(layer)
        }
    }

    private static func layer(_ make: () throws(TextureError) -> PictureLayer) -> PictureLayer {
        do { return try make() } catch {
            Complaint.warn(error.message)
            return .nothing
        }
    }
}
#endif
