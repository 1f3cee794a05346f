import CCurlShim
import Synchronization
import SystemThreads

/// The thread that owns a multi handle and every transfer in it. Others send it commands.
final class CurlLoop: Sendable {
    enum Command {
        case start(CurlTransfer)
        case resume(CurlTransfer)
        case cancel(CurlTransfer)

        var isStart: Bool {
            if case .start = self { true } else { false }
        }
    }

    private struct State {
        var commands: [Command] = []
        var isRunning = false
        var isStopped = false
        /// Whether the thread waits for sockets, or is about to, so that a command has to wake it.
        var isAsleep = false
        /// Only for waking the thread up; set by it while it runs.
        var multi: Handle?

        mutating func wake() {
            guard isAsleep, let multi else { return }
            isAsleep = false
            wi_curl_wakeup(multi.pointer)
        }
    }

    // Unchecked: the only call from another thread is wi_curl_wakeup, under the lock that also guards the closing.
    private struct Handle: @unchecked Sendable {
        let pointer: OpaquePointer
    }

    private let state = Mutex(State())
    private let hasNews = Atomic(false)
    private let idleConnections: Int
    private let trust: TLSTrust

    init(idleConnections: Int, trust: TLSTrust) {
        self.idleConnections = max(1, idleConnections)
        self.trust = trust
    }

    /// Hands a command over. After ``stop()`` a start ends the transfer at once; other commands have no effect.
    func send(_ command: Command) {
        let (mustLaunch, isRefused) = state.withLock { state in
            guard !state.isStopped else { return (false, true) }
            if !state.isRunning, !command.isStart { return (false, false) }
            state.commands.append(command)
            state.wake()
            defer { state.isRunning = true }
            return (!state.isRunning, false)
        }
        if isRefused, case .start(let transfer) = command { transfer.end(.failure(.cancelled)) }
        guard mustLaunch else { return }
        if let thread = SystemThread.start("webimage-http", { self.run() }) {
            thread.detach()
        } else {
            abandon(FetchError(.outOfMemory, "The system has no thread for the network."))
        }
    }

    /// Ends every transfer and then the thread.
    func stop() {
        state.withLock { state in
            state.isStopped = true
            state.wake()
        }
    }

    /// Says that something has come for a reader who waits. Called by transfers on the loop's thread.
    func noteNews() { hasNews.store(true, ordering: .relaxed) }

    private func abandon(_ error: FetchError) {
        let commands = state.withLock { state in
            state.isRunning = false
            defer { state.commands.removeAll() }
            return state.commands
        }
        for case .start(let transfer) in commands { transfer.end(.failure(error)) }
    }

    private func run() {
        guard let multi = wi_curl_open(idleConnections) else {
            abandon(FetchError(.outOfMemory, "libcurl could not be set up."))
            return
        }
        state.withLock { $0.multi = Handle(pointer: multi) }
        var session = CurlSession(multi: multi, trust: trust)
        var end = FetchError.cancelled
        do throws(FetchError) {
            while let commands = takeCommands() {
                let isBusy = try session.step(commands)
                let pause = session.deliver(hasNews: hasNews.exchange(false, ordering: .relaxed), at: .now)
                if !isBusy, mayWait() { try session.wait(pause) }
            }
        } catch {
            // The thread ends with its broken handle; the next transfer starts another with a new one.
            end = error
        }
        session.endAll(end)
        state.withLock { $0.multi = nil }
        abandon(end)
        wi_curl_close(multi)
    }

    /// Nil once the loop was stopped.
    private func takeCommands() -> [Command]? {
        state.withLock { state in
            state.isAsleep = false
            guard !state.isStopped else { return nil }
            defer { state.commands = [] }
            return state.commands
        }
    }

    /// Whether there is nothing to do. From here on whoever sends a command wakes the thread.
    private func mayWait() -> Bool {
        state.withLock { state in
            state.isAsleep = state.commands.isEmpty && !state.isStopped
            return state.isAsleep
        }
    }
}
