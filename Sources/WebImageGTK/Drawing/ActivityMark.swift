#if GTK
import CGTK
public import WebImage

/// How a widget tells that something is on its way.
public enum ActivityIndicator: Sendable {
    case none
    /// A bar along the lower edge that grows with the bytes; it wanders while nobody knows how many there will be.
    case bar
    /// An arc in the middle that turns.
    case spinner
    /// A function of the program's own, for widgets of its own. What it hears is what ``bar`` would show.
    case custom(@MainActor @Sendable (SlotActivity) -> Void)
}

/// The drawn kinds of an indicator, drawn over the picture.
@MainActor
struct ActivityMark {
    private static let barHeight: Float = 4
    /// One turn of the spinner, and one way of the wandering bar, in microseconds.
    private static let period: Int64 = 1_000_000

    private(set) var indicator = ActivityIndicator.none
    private(set) var isActive = false
    private(set) var fraction: Double?
    /// From 0 to 1 within the period.
    private var phase = 0.0

    /// Shows what comes next by another indicator, which begins with nothing.
    mutating func take(_ indicator: ActivityIndicator) {
        self.indicator = indicator
        isActive = false
        fraction = nil
    }

    /// - Returns: whether anything looks different now.
    mutating func note(_ activity: SlotActivity) -> Bool {
        switch activity {
        case .began:
            isActive = true
            fraction = nil
        case .progressed(let fraction):
            isActive = true
            self.fraction = fraction.map { min(1, max(0, $0)) }
        case .ended: isActive = false
        }
        switch indicator {
        case .bar, .spinner: return true
        // The custom one is told by the canvas.
        case .none, .custom: return false
        }
    }

    /// The indicator, while something goes on.
    var active: ActivityIndicator? { isActive ? indicator : nil }

    var needsFrames: Bool {
        guard isActive else { return false }
        return switch indicator {
        case .none, .custom: false
        case .bar: fraction == nil
        case .spinner: true
        }
    }

    mutating func advance(to time: Int64) { phase = Double(time % Self.period) / Double(Self.period) }

    func draw(_ snapshot: OpaquePointer, in box: graphene_rect_t) {
        guard isActive else { return }
        switch indicator {
        case .none, .custom: break
        case .bar: drawBar(snapshot, box)
        case .spinner: drawSpinner(snapshot, box)
        }
    }

    private func drawBar(_ snapshot: OpaquePointer, _ box: graphene_rect_t) {
        var bar = box
        bar.size.height = min(Self.barHeight, box.size.height)
        bar.origin.y += box.size.height - bar.size.height
        var ground = GdkRGBA(red: 0, green: 0, blue: 0, alpha: 0.25)
        gtk_snapshot_append_color(snapshot, &ground, &bar)
        if let fraction {
            bar.size.width *= Float(fraction)
        } else {
            bar.size.width *= 0.3
            // There and back.
            bar.origin.x += (box.size.width - bar.size.width) * Float(1 - abs(1 - 2 * phase))
        }
        var color = GdkRGBA(red: 0.21, green: 0.52, blue: 0.89, alpha: 1)
        gtk_snapshot_append_color(snapshot, &color, &bar)
    }

    private func drawSpinner(_ snapshot: OpaquePointer, _ box: graphene_rect_t) {
        let side = min(32, min(box.size.width, box.size.height))
        var square = graphene_rect_t(
            origin: graphene_point_t(
                x: box.origin.x + (box.size.width - side) / 2, y: box.origin.y + (box.size.height - side) / 2),
            size: graphene_size_t(width: side, height: side))
        guard side > 4, let cairo = gtk_snapshot_append_cairo(snapshot, &square) else { return }
        defer { cairo_destroy(cairo) }
        let (center, radius) = (Double(side) / 2, Double(side) / 2 - 3)
        cairo_set_line_width(cairo, 3)
        cairo_set_line_cap(cairo, CAIRO_LINE_CAP_ROUND)
        cairo_set_source_rgba(cairo, 0.5, 0.5, 0.5, 0.9)
        let start = phase * 2 * Double.pi
        cairo_arc(
            cairo, Double(square.origin.x) + center, Double(square.origin.y) + center, radius, start,
            start + 1.5 * Double.pi)
        cairo_stroke(cairo)
    }
}
#endif
