#if GTK
import CGTK
import CGTKShim
import Pixels
import WebImage

/// What a widget holds from its first picture to its end: its slots and the canvas that draws them.
@MainActor
final class WidgetBinding {
    private static let key = "web-image-binding"

    let canvas: WidgetCanvas
    let slots: ImageBinding
    private let widget: UnsafeMutablePointer<GtkWidget>
    private let place: WidgetPlace
    /// The widget that draws: the child of a button.
    private(set) var drawing: UnsafeMutablePointer<GtkWidget>
    private var sizes: [SlotKey: WidgetSettings.Size] = [:]
    private var isClosed = false
    private var isTicking = false
    /// The room at the last frame, for one that changes.
    private var lastRoom: PictureRoom?
    private var isSettling = false
    private var framesWithoutSize = 0

    /// What a widget holds already.
    static func existing(on widget: UnsafeMutablePointer<GtkWidget>) -> WidgetBinding? {
        guard let held = g_object_get_data(Self.object(widget), key) else { return nil }
        return Unmanaged<WidgetBinding>.fromOpaque(held).takeUnretainedValue()
    }

    /// What a widget holds, made if need be; nil for a widget that shows no pictures.
    static func on(_ widget: UnsafeMutablePointer<GtkWidget>, pipeline: ImagePipeline) -> WidgetBinding? {
        if let existing = existing(on: widget) {
            existing.install()
            return existing
        }
        guard let place = WidgetPlace(widget) else { return nil }
        let binding = WidgetBinding(widget, place, pipeline)
        g_object_set_data_full(
            Self.object(widget), key, Unmanaged.passRetained(binding).toOpaque(),
            { held in
                guard let held else { return }
                let binding = Unmanaged<WidgetBinding>.fromOpaque(held)
                onMain(binding) { $0.takeUnretainedValue().close() }
                binding.release()
            })
        binding.install()
        binding.listen()
        return binding
    }

    private init(_ widget: UnsafeMutablePointer<GtkWidget>, _ place: WidgetPlace, _ pipeline: ImagePipeline) {
        self.widget = widget
        self.place = place
        drawing = widget
        canvas = WidgetCanvas.make()
        slots = ImageBinding(pipeline: pipeline, target: canvas)
        // Both are kept by this object, so neither may keep it.
        canvas.onDraw = { [weak self] in self?.sizeMayHaveChanged() }
        canvas.requestFrames = { [weak self] in self?.requestFrames() ?? false }
    }

    isolated deinit { if let paintable = canvas.paintable { g_object_unref(UnsafeMutableRawPointer(paintable)) } }

    // MARK: Showing

    func show(
        _ wish: WidgetWish, in key: SlotKey, settings: WidgetSettings,
        completion: (@MainActor (SlotOutcome) -> Void)?
    ) -> SlotLoad {
        canvas.prepare(key, indicator: settings.indicator, playback: settings.playback)
        updateScale()
        canvas.isVisible = gtk_widget_get_mapped(drawing) != 0
        // A button's new child is mapped before anybody listens to it.
        if canvas.isVisible { slots.setHidden(false) }
        let size = wish.hasTarget ? .original : settings.size
        sizes[key] = size
        var target: TargetSize?
        var waitsForSize = false
        switch size {
        case .original: break
        case .pixels(let asked): target = asked
        case .widget:
            let room = place.room(in: drawing)
            target = room?.target
            waitsForSize = room == nil && !wish.isNothing
        }
        let request = wish.request(target: target, animation: settings.playback.isWanted ? .moving : .still)
        let load = slots[key].show(
            request, settings: settings.showing, waitsForSize: waitsForSize, completion: completion)
        if waitsForSize {
            framesWithoutSize = 0
            _ = requestFrames()
        }
        return load
    }

    // MARK: Size

    /// Looks at the size before a frame is drawn: what is in memory is drawn in that very frame.
    private func sizeMayHaveChanged() {
        canvas.mayAnimate = webimage_may_animate(drawing) != 0
        guard !isClosed, sizes.values.contains(where: { if case .widget = $0 { true } else { false } }),
            let room = place.room(in: drawing), room != lastRoom
        else { return }
        lastRoom = room
        slots.forEach { slot in if slot.needsSize { slot.fit(room.target) } }
        // While a window is drawn larger every frame has another size: only one that stays is worth a load.
        isSettling = true
        _ = requestFrames()
    }

    private func settle() {
        isSettling = false
        guard let room = place.room(in: drawing) else { return }
        guard room == lastRoom else {
            lastRoom = room
            isSettling = true
            return
        }
        slots.forEach { slot in if case .widget = sizes[slot.key] { slot.fit(room.target) } }
    }

    /// - Returns: whether somebody still waits for a size.
    private func lookForSize() -> Bool {
        var isWaiting = false
        slots.forEach { slot in if slot.needsSize { isWaiting = true } }
        guard isWaiting else { return false }
        if let room = place.room(in: drawing) {
            slots.forEach { slot in if slot.needsSize { slot.fit(room.target) } }
            return false
        }
        // It was laid out and got nothing: it is the picture that has to ask for room.
        framesWithoutSize += 1
        guard framesWithoutSize > 2 else { return true }
        slots.forEach { slot in if slot.needsSize { slot.fit(nil) } }
        return false
    }

    // MARK: Frames

    /// - Returns: whether there will be frames: not for a widget that nobody sees, and not where animations are not wanted.
    private func requestFrames() -> Bool {
        guard !isClosed else { return false }
        if !isTicking {
            isTicking = true
            gtk_widget_add_tick_callback(
                drawing,
                { _, clock, context in
                    guard let clock, let context else { return 0 }
                    var goesOn = false
                    onMain((context, Int64(gdk_frame_clock_get_frame_time(clock)))) { context, time in
                        goesOn = Unmanaged<WidgetBinding>.fromOpaque(context).takeUnretainedValue().tick(time)
                    }
                    return goesOn ? 1 : 0
                }, Unmanaged.passRetained(self).toOpaque(),
                { context in
                    guard let context else { return }
                    let binding = Unmanaged<WidgetBinding>.fromOpaque(context)
                    onMain(binding) { $0.takeUnretainedValue().isTicking = false }
                    binding.release()
                })
        }
        return gtk_widget_get_mapped(drawing) != 0 && webimage_may_animate(drawing) != 0
    }

    private func tick(_ time: Int64) -> Bool {
        // GTK goes on with widgets that it does not show; who is mapped again goes on from there.
        guard !isClosed, gtk_widget_get_mapped(drawing) != 0 else { return false }
        if isSettling { settle() }
        let isWaiting = lookForSize()
        let moves = canvas.advance(to: time)
        return isWaiting || moves || isSettling
    }

    // MARK: The widget's life

    /// The paintable is put where it belongs, also if somebody has put another there meanwhile.
    private func install() {
        guard let paintable = canvas.paintable else { return }
        let before = drawing
        drawing = place.install(paintable, in: widget, drawing: drawing)
        if case .button = place, drawing != before { listenToDrawing() }
    }

    private func listen() {
        if case .button = place {} else { listenToDrawing() }
        connect(widget, "destroy") { $0.close() }
        connect(widget, "state-flags-changed") { $0.stateChanged() }
        stateChanged()
    }

    private func listenToDrawing() {
        connectDrawing("map") { $0.wasMapped() }
        connectDrawing("unmap") { $0.wasUnmapped() }
        connectDrawing("notify::scale-factor") { $0.scaleChanged() }
        // The child of a button may go before the button.
        if drawing != widget { connectDrawing("destroy") { $0.drawingIsGone() } }
    }

    /// As ``connect(_:_:_:)``, for as long as the widget is the one that draws: somebody may keep a child that was replaced.
    private func connectDrawing(_ signal: String, _ body: @escaping @MainActor (WidgetBinding) -> Void) {
        connect(drawing, signal) { [drawing] binding in if binding.drawing == drawing { body(binding) } }
    }

    private func wasMapped() {
        canvas.isVisible = true
        slots.setHidden(false)
        framesWithoutSize = 0
        var isWaiting = canvas.needsFrames || isSettling
        slots.forEach { slot in if slot.needsSize { isWaiting = true } }
        if isWaiting { _ = requestFrames() }
    }

    private func wasUnmapped() {
        canvas.isVisible = false
        slots.setHidden(true)
        canvas.endTransitions()
    }

    private func updateScale() { canvas.scale = Double(max(1, gtk_widget_get_scale_factor(drawing))) }

    private func scaleChanged() {
        lastRoom = nil
        updateScale()
        sizeMayHaveChanged()
    }

    private func stateChanged() {
        let flags = gtk_widget_get_state_flags(widget).rawValue
        let second = GTK_STATE_FLAG_CHECKED.rawValue | GTK_STATE_FLAG_SELECTED.rawValue | GTK_STATE_FLAG_ACTIVE.rawValue
        canvas.showsAlternate = flags & (second | GTK_STATE_FLAG_PRELIGHT.rawValue) != 0
    }

    private func drawingIsGone() {
        drawing = widget
        canvas.isVisible = false
        slots.setHidden(true)
    }

    /// The widget is going: nothing of it may be touched any more.
    func close() {
        guard !isClosed else { return }
        isClosed = true
        slots.close()
        canvas.clear()
    }

    // MARK: Signals

    /// Calls `body` whenever the widget says something. The handler goes with the widget, and this object before it.
    private func connect(
        _ widget: UnsafeMutablePointer<GtkWidget>, _ signal: String,
        _ body: @escaping @MainActor (WidgetBinding) -> Void
    ) {
        Signal.connect(widget, signal) { [weak self] in if let self { body(self) } }
    }

    private static func object(_ widget: UnsafeMutablePointer<GtkWidget>) -> UnsafeMutablePointer<GObject> {
        UnsafeMutableRawPointer(widget).assumingMemoryBound(to: GObject.self)
    }
}
#endif
