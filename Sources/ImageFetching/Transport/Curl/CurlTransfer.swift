import ByteBuffers
import CCurlShim
import Synchronization

/// One request on its way: written by the loop's thread, read by a task.
final class CurlTransfer: Sendable {
    /// How many unread bytes hold the sender back, and how few let it go on.
    static let highWater = 512 << 10
    static let lowWater = 128 << 10
    /// How long a reader who waits is not told of what came, if there is less of it than ``generous``. Each time that
    /// somebody is woken costs more than a small picture's bytes, and most of those come whole within this time.
    static let patience = Duration.milliseconds(5)
    static let generous = 256 << 10

    private typealias HeadWaiter = CheckedContinuation<Result<ResponseHead, FetchError>, Never>
    private typealias BodyWaiter = CheckedContinuation<Result<Bytes?, FetchError>, Never>

    private enum Verdict { case taken, pause, stop }

    // Unchecked: the accumulator, its only part that is not Sendable, is the sole owner of its memory.
    private struct State: ~Copyable, @unchecked Sendable {
        var parser: HeadParser
        var head: ResponseHead?
        var headWaiter: HeadWaiter?
        /// Bytes that came and were not asked for yet.
        var pending: ByteAccumulator
        var received = 0
        var bodyWaiter: BodyWaiter?
        var isPaused = false
        /// Since when there is something that a reader waits for.
        var newsSince: ContinuousClock.Instant?
        /// What a callback found wrong, before libcurl reports that it was stopped.
        var refusal: FetchError?
        /// An address of the host that may not be connected to; another of its addresses may still do.
        var forbidden: FetchError?
        var result: Result<Void, FetchError>?
        /// When the wait for the next progress began.
        var waitingSince: ContinuousClock.Instant

        /// What was not asked for yet, in one piece.
        mutating func takePending(limit: Int) -> Bytes {
            let left = (head?.expectedByteCount ?? 0) - received
            var fresh = ByteAccumulator(limit: limit, expected: min(max(0, left), CurlTransfer.highWater))
            swap(&fresh, &pending)
            return fresh.finish()
        }

        /// Whether the loop should look whether to tell somebody of what is pending.
        mutating func noteNews() -> Bool {
            guard bodyWaiter != nil || headWaiter != nil else { return false }
            if newsSince == nil {
                newsSince = waitingSince
                return true
            }
            return pending.count >= CurlTransfer.generous
        }

        mutating func take(_ piece: UnsafeRawBufferPointer, limit: Int) -> Verdict {
            guard result == nil else { return .stop }
            guard pending.count < CurlTransfer.highWater else {
                isPaused = true
                return .pause
            }
            do {
                guard piece.count <= limit - received else { throw FetchError.bodyTooLarge(limit: limit, head: head) }
                try pending.append(piece)
                received += piece.count
                waitingSince = .now
                return .taken
            } catch {
                refusal = FetchError(error)
                return .stop
            }
        }
    }

    let request: FetchRequest
    let limits: FetchLimits
    let configuration: CurlTransport.Configuration
    private let loop: CurlLoop
    private let started = ContinuousClock.now
    private let state: Mutex<State>

    init(
        _ request: FetchRequest, limits: FetchLimits, configuration: CurlTransport.Configuration, loop: CurlLoop
    ) {
        self.request = request
        self.limits = limits
        self.configuration = configuration
        self.loop = loop
        state = Mutex(
            State(
                parser: HeadParser(url: request.url, limits: limits), pending: ByteAccumulator(limit: 0),
                waitingSince: started))
    }

    // MARK: - The reader's side

    /// Starts the transfer and waits for its head. Called once.
    func head() async throws(FetchError) -> ResponseHead {
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let ended = state.withLock { state -> FetchError? in
                    if case .failure(let error) = state.result { return error }
                    state.headWaiter = continuation
                    return nil
                }
                if let ended { return continuation.resume(returning: .failure(ended)) }
                loop.send(.start(self))
            }
        } onCancel: {
            cancel()
        }
        return try result.get()
    }

    func next() async throws(FetchError) -> Bytes? {
        if let ready = take() { return try ready.get() }
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let ready = state.withLock { state in
                    let ready = Self.ready(&state, limits)
                    if ready == nil { state.bodyWaiter = continuation }
                    return ready
                }
                if let ready { continuation.resume(returning: ready) }
            }
        } onCancel: {
            cancel()
        }
        resumeIfDrained()
        return try result.get()
    }

    func cancel() {
        guard !isOver else { return }
        end(.failure(.cancelled))
        loop.send(.cancel(self))
    }

    private func take() -> Result<Bytes?, FetchError>? {
        let ready = state.withLock { Self.ready(&$0, limits) }
        if ready != nil { resumeIfDrained() }
        return ready
    }

    private func resumeIfDrained() {
        let mustResume = state.withLock { $0.isPaused && $0.pending.count <= Self.lowWater && $0.result == nil }
        if mustResume { loop.send(.resume(self)) }
    }

    private static func ready(_ state: inout State, _ limits: FetchLimits) -> Result<Bytes?, FetchError>? {
        // What came before the end is given out first, also before an error: a later attempt may go on from there.
        if state.pending.count > 0 { return .success(state.takePending(limit: limits.maxBodyBytes)) }
        return state.result.map { result in result.map { nil } }
    }

    // MARK: - The loop's side

    var isOver: Bool { state.withLock { $0.result != nil } }

    /// The first end counts: whoever waits is told.
    func end(_ result: Result<Void, FetchError>) {
        let delivery = state.withLock { state in
            if state.result == nil { state.result = result }
            return takeDelivery(&state)
        }
        delivery()
    }

    /// Tells a waiting reader what came, if that is due.
    ///
    /// - Returns: when it will be due; nil if there is nothing.
    func flush(at now: ContinuousClock.Instant) -> ContinuousClock.Instant? {
        let (delivery, due) = state.withLock { state -> (() -> Void, ContinuousClock.Instant?) in
            guard let since = state.newsSince else { return ({}, nil) }
            let due = since + Self.patience
            if due > now, state.pending.count < Self.generous { return ({}, due) }
            return (takeDelivery(&state), nil)
        }
        delivery()
        return due
    }

    /// What is to be done outside the lock, so that whoever waits hears what there is.
    private func takeDelivery(_ state: inout State) -> () -> Void {
        state.newsSince = nil
        if let waiter = state.headWaiter {
            let answer = Self.headAnswer(state)
            state.headWaiter = nil
            return { waiter.resume(returning: answer) }
        }
        if let waiter = state.bodyWaiter, let ready = Self.ready(&state, limits) {
            state.bodyWaiter = nil
            return { waiter.resume(returning: ready) }
        }
        return {}
    }

    private static func headAnswer(_ state: borrowing State) -> Result<ResponseHead, FetchError> {
        let failure: FetchError? = if case .failure(let error) = state.result { error } else { nil }
        // What failed later fails in the body, so that a later attempt may go on from its beginning.
        if let head = state.head, failure?.code != .cancelled { return .success(head) }
        if let failure { return .failure(failure) }
        return .failure(FetchError(.protocolError, "The response has no head."))
    }

    /// When the transfer is too late; nil while it is the reader who is waited for and no total limit is set.
    var deadline: ContinuousClock.Instant? {
        let idle = state.withLock { $0.isPaused ? nil : $0.waitingSince + limits.timeout }
        let total = limits.totalTimeout.map { started + $0 }
        guard let idle, let total else { return idle ?? total }
        return min(idle, total)
    }

    var timeoutError: FetchError {
        let (hasHead, received) = state.withLock { ($0.head != nil, $0.received) }
        let when = hasHead ? "after \(received) bytes of the body" : "before the response's head was there"
        return FetchError(.timeout, "\(request.url.redacted) took too long: the time was up \(when).")
    }

    func willResume() {
        state.withLock { state in
            state.isPaused = false
            state.waitingSince = .now
        }
    }

    /// The end that libcurl reported, with what the callbacks know of it.
    func result(of outcome: wi_curl_outcome, _ message: String) -> Result<Void, FetchError> {
        let (refusal, forbidden, head, received) = state.withLock {
            ($0.refusal, $0.forbidden, $0.head, $0.received)
        }
        if let refusal { return .failure(refusal) }
        if let forbidden, outcome == WI_CURL_CONNECT { return .failure(forbidden) }
        if outcome == WI_CURL_OK {
            guard let expected = head?.expectedByteCount, received < expected else { return .success(()) }
            return .failure(
                FetchError(.truncatedBody, "The body ended after \(received) of \(expected) bytes.", head: head))
        }
        return .failure(FetchError(outcome, message, url: request.url, head: head))
    }

    /// - Returns: false to stop the transfer.
    func received(header line: UnsafeRawBufferPointer) -> Bool {
        let (isGood, isNews) = state.withLock { state in
            do throws(FetchError) {
                guard let head = try state.parser.append(line) else { return (state.result == nil, false) }
                state.head = head
                state.waitingSince = .now
                state.newsSince = state.waitingSince
                state.pending = ByteAccumulator(
                    limit: limits.maxBodyBytes, expected: min(head.expectedByteCount ?? 0, Self.highWater))
                return (state.result == nil, true)
            } catch {
                state.refusal = error
                return (false, false)
            }
        }
        if isNews { loop.noteNews() }
        return isGood
    }

    func received(body piece: UnsafeRawBufferPointer) -> wi_curl_verdict {
        let (verdict, isNews) = state.withLock { state in
            (state.take(piece, limit: limits.maxBodyBytes), state.noteNews())
        }
        if isNews { loop.noteNews() }
        return switch verdict {
        case .taken: WI_CURL_TAKEN
        case .pause: WI_CURL_PAUSE
        case .stop: WI_CURL_STOP
        }
    }

    /// - Parameter peer: nil for an address of another kind than IP, which no policy knows.
    func allowsConnection(to peer: PeerAddress?) -> Bool {
        if let peer, configuration.addresses.allows(peer) { return true }
        state.withLock { $0.forbidden = forbidden(peer) }
        return false
    }

    func allowsRequest(to peer: PeerAddress?) -> Bool {
        if let peer, configuration.addresses.allows(peer) { return true }
        state.withLock { $0.refusal = forbidden(peer) }
        return false
    }

    private func forbidden(_ peer: PeerAddress?) -> FetchError {
        let place = peer.map { "\($0)" } ?? "an address"
        return FetchError(.forbiddenAddress, "\(request.url.redacted) leads to \(place), which is forbidden.")
    }
}
