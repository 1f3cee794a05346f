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
        /// Only for waking the thread up; set by it while it runs.
        var multi: Handle?
    }

    // Unchecked: the only call from another thread is wi_curl_wakeup, under the lock that also guards the closing.
    private struct Handle: @unchecked Sendable {
        let pointer: OpaquePointer
    }

    private let state = Mutex(State())
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
            // While commands are waiting the thread was already woken.
            if state.commands.count == 1, let multi = state.multi { wi_curl_wakeup(multi.pointer) }
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
            if let multi = state.multi { wi_curl_wakeup(multi.pointer) }
        }
    }

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
            while let commands = takeCommands() { try session.step(commands) }
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
            guard !state.isStopped else { return nil }
            defer { state.commands.removeAll(keepingCapacity: true) }
            return state.commands
        }
    }
}
