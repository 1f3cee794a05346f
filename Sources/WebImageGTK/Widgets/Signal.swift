#if GTK
import CGTK
import CGTKShim

/// What is called when an object emits a signal.
@MainActor
package final class Signal {
    private let body: @MainActor (_ argument: UnsafeMutableRawPointer?) -> Void

    private init(_ body: @escaping @MainActor (UnsafeMutableRawPointer?) -> Void) { self.body = body }

    /// Calls `body` for a signal, whatever its arguments, until the object goes.
    package static func connect(
        _ object: some WidgetReference, _ signal: String, _ body: @escaping @MainActor () -> Void
    ) {
        webimage_connect(
            object.widgetAddress, signal, { context, _ in Signal.call(context, nil) },
            Unmanaged.passRetained(Signal { _ in body() }).toOpaque(), { context, _ in Signal.release(context) })
    }

    /// Calls `body` with the signal's first argument.
    static func connect(
        _ object: some WidgetReference, argumentOf signal: String,
        _ body: @escaping @MainActor (UnsafeMutableRawPointer) -> Void
    ) {
        webimage_connect(
            object.widgetAddress, signal, { context, argument in Signal.call(context, argument) },
            Unmanaged.passRetained(Signal { if let argument = $0 { body(argument) } }).toOpaque(),
            { context, _ in Signal.release(context) })
    }

    /// Calls `body` with the place in a list that is the signal's first argument.
    package static func connect(
        _ object: some WidgetReference, positionOf signal: String, _ body: @escaping @MainActor (UInt32) -> Void
    ) {
        webimage_connect(
            object.widgetAddress, signal, { context, argument in Signal.call(context, argument) },
            Unmanaged.passRetained(Signal { body(UInt32(truncatingIfNeeded: UInt(bitPattern: $0))) }).toOpaque(),
            { context, _ in Signal.release(context) })
    }

    private nonisolated static func call(_ context: UnsafeMutableRawPointer?, _ argument: UnsafeMutableRawPointer?) {
        guard let context else { return }
        onMain((context, argument)) { context, argument in
            Unmanaged<Signal>.fromOpaque(context).takeUnretainedValue().body(argument)
        }
    }

    private nonisolated static func release(_ context: UnsafeMutableRawPointer?) {
        if let context { Unmanaged<Signal>.fromOpaque(context).release() }
    }
}
#endif
