import ByteBuffers
import Synchronization
import SystemThreads

/// Hears from the system when memory runs short, and has caches give some back.
///
/// There is no memory warning on Linux, but since version 4.20 the kernel counts how long tasks wait for memory
/// (pressure stall information), and since 5.2 it wakes whoever asked when that goes above a threshold. The monitor asks
/// for the control group of this process, and where that is not allowed or not there, for the machine. A thread of its
/// own sleeps until then; no timer wakes an idle process.
///
/// ```swift
/// let cache = MemoryCache<String, Page>(costLimit: 50 << 20)
/// MemoryPressureMonitor.shared.add(cache)
/// ```
///
/// Where the system tells nothing (a kernel without it, a container without the right, other systems than Linux) nothing
/// happens, without an error; ``watchedFile`` says so. Unprivileged processes are heard since Linux 6.4.
public final class MemoryPressureMonitor: Sendable {
    /// The monitor of this process. It starts its thread for the first ``add(_:)``. After the responders it has the
    /// idle blocks of the pool that pixels live in given back.
    public static let shared = MemoryPressureMonitor(
        files: .system, startThread: startThread, afterwards: { RegionPool.shared.trim() })

    /// The kernel takes windows of whole two seconds from everybody. It tells at most once a window.
    static let triggers: [(text: String, pressure: MemoryPressure)] = [
        ("some 150000 2000000", .moderate),
        ("full 100000 2000000", .critical),
    ]

    private struct Responder {
        weak let object: (any MemoryPressureResponder)?
    }

    private struct State {
        var responders: [Responder] = []
        var hasStarted = false
        var watchedFile: String?
    }

    private struct Watch: Sendable {
        let descriptor: Int32
        let pressure: MemoryPressure
    }

    private let files: PressureFiles
    private let startThread: @Sendable (@escaping @Sendable () -> Void) -> Bool
    private let afterwards: @Sendable () -> Void
    private let state = Mutex(State())

    /// - Parameters:
    ///   - startThread: runs a body on a thread of its own; false when there is none to have.
    ///   - afterwards: called after every round of responders.
    init(
        files: PressureFiles, startThread: @escaping @Sendable (@escaping @Sendable () -> Void) -> Bool,
        afterwards: @escaping @Sendable () -> Void = {}
    ) {
        self.files = files
        self.startThread = startThread
        self.afterwards = afterwards
    }

    /// Has a responder told of memory pressure from now on, until it goes: it is held weakly. One that was added before
    /// is not told twice.
    public func add(_ responder: any MemoryPressureResponder) {
        let isFirst = state.withLock { state in
            state.responders.removeAll { $0.object == nil }
            if !state.responders.contains(where: { $0.object === responder }) {
                state.responders.append(Responder(object: responder))
            }
            defer { state.hasStarted = true }
            return !state.hasStarted
        }
        if isFirst { start() }
    }

    /// The file that tells of pressure: nil where none does, and before the first responder was added.
    public var watchedFile: String? { state.withLock { $0.watchedFile } }

    private func start() {
        let candidates = ControlGroups(readFile: files.read).memoryPressureFiles + ["/proc/pressure/memory"]
        for path in candidates {
            let watches = Self.triggers.compactMap { trigger in
                files.arm(path, trigger.text).map { Watch(descriptor: $0, pressure: trigger.pressure) }
            }
            guard !watches.isEmpty else { continue }
            state.withLock { $0.watchedFile = path }
            if !startThread({ self.run(watches) }) { end(watches) }
            return
        }
    }

    private func run(_ watches: [Watch]) {
        while true {
            let events = files.wait(watches.map(\.descriptor))
            let heard = zip(watches, events).filter { $1 == .pressure }.map(\.0.pressure)
            if let worst = heard.max() { tell(worst) }
            if events.contains(.end) { return end(watches) }
        }
    }

    private func tell(_ pressure: MemoryPressure) {
        for responder in state.withLock({ $0.responders.compactMap(\.object) }) { responder.relieve(pressure) }
        afterwards()
    }

    private func end(_ watches: [Watch]) {
        state.withLock { $0.watchedFile = nil }
        for watch in watches { files.close(watch.descriptor) }
    }

    private static func startThread(_ body: @escaping @Sendable () -> Void) -> Bool {
        guard let thread = SystemThread.start("webimage-memory", body) else { return false }
        thread.detach()
        return true
    }
}
