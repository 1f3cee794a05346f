#if AsyncHTTPClient
import AsyncHTTPClient
import ByteBuffers
import NIOCore
import Synchronization
import SystemThreads

/// One request on its way. A task of its own carries bytes from the client to here, no more than ``highWater`` of them
/// ahead of the reader, and cancelling that task is what closes the connection.
final class AsyncHTTPTransfer: Sendable {
    /// How many unread bytes hold the sender back.
    static let highWater = 512 << 10

    private typealias HeadWaiter = CheckedContinuation<Result<ResponseHead, FetchError>, Never>
    private typealias BodyWaiter = CheckedContinuation<Result<Bytes?, FetchError>, Never>

    // Unchecked: the accumulator, its only part that is not Sendable, is the sole owner of its memory.
    private struct State: ~Copyable, @unchecked Sendable {
        var head: ResponseHead?
        var headWaiter: HeadWaiter?
        /// Bytes that came and were not asked for yet.
        var pending = ByteAccumulator(limit: 0)
        var received = 0
        var bodyWaiter: BodyWaiter?
        /// The carrier, while it waits for the reader.
        var room: CheckedContinuation<Void, Never>?
        var result: Result<Void, FetchError>?
        var carrier: Task<Void, Never>?
        var alarm: Scheduled<Void>?
        /// When the wait for the next progress began.
        var waitingSince = ContinuousClock.now
    }

    private let request: FetchRequest
    private let limits: FetchLimits
    private let started = ContinuousClock.now
    private let state = Mutex(State())

    init(_ request: FetchRequest, limits: FetchLimits) {
        self.request = request
        self.limits = limits
    }

    // MARK: - The reader's side

    /// Starts the transfer and waits for its head. Called once.
    func head(through client: HTTPClient) async throws(FetchError) -> ResponseHead {
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { (waiter: HeadWaiter) in
                let ended = state.withLock { state -> FetchError? in
                    if case .failure(let error) = state.result { return error }
                    state.headWaiter = waiter
                    state.carrier = Task { await self.carry(through: client) }
                    return nil
                }
                if let ended { return waiter.resume(returning: .failure(ended)) }
                watch(on: client.eventLoopGroup.any())
            }
        } onCancel: {
            cancel()
        }
        return try result.get()
    }

    func next() async throws(FetchError) -> Bytes? {
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { (waiter: BodyWaiter) in
                let (ready, room) = state.withLock { state in
                    let ready = Self.ready(&state, limits)
                    if ready == nil { state.bodyWaiter = waiter }
                    return (ready, Self.takeRoom(&state))
                }
                room?.resume()
                if let ready { waiter.resume(returning: ready) }
            }
        } onCancel: {
            cancel()
        }
        return try result.get()
    }

    func cancel() { end(.failure(.cancelled)) }

    private static func ready(_ state: inout State, _ limits: FetchLimits) -> Result<Bytes?, FetchError>? {
        if case .failure(let error) = state.result { return .failure(error) }
        guard state.pending.count > 0 else { return state.result == nil ? nil : .success(nil) }
        var fresh = ByteAccumulator(limit: limits.maxBodyBytes)
        swap(&fresh, &state.pending)
        return .success(fresh.finish())
    }

    private static func takeRoom(_ state: inout State) -> CheckedContinuation<Void, Never>? {
        guard state.pending.count < highWater || state.result != nil else { return nil }
        defer { state.room = nil }
        if state.room != nil { state.waitingSince = .now }
        return state.room
    }

    // MARK: - The carrier's side

    private func carry(through client: HTTPClient) async {
        do {
            let response = try await client.execute(HTTPClientRequest(request), deadline: .distantFuture)
            begin(try ResponseHead(response, for: request, limits: limits))
            for try await piece in response.body {
                try take(piece)
                await waitForRoom()
            }
            end(.success(()))
        } catch {
            let head = state.withLock { $0.head }
            end(.failure(FetchError(asyncHTTPClient: error, url: request.url, head: head)))
        }
    }

    private func begin(_ head: ResponseHead) {
        let waiter = state.withLock { state in
            guard state.result == nil else { return nil as HeadWaiter? }
            state.head = head
            state.waitingSince = .now
            state.pending = ByteAccumulator(
                limit: limits.maxBodyBytes, expected: min(head.expectedByteCount ?? 0, Self.highWater))
            defer { state.headWaiter = nil }
            return state.headWaiter
        }
        waiter?.resume(returning: .success(head))
    }

    private func take(_ piece: ByteBuffer) throws {
        let (waiter, ready) = try state.withLock { state in
            if case .failure(let error) = state.result { throw error }
            guard piece.readableBytes <= limits.maxBodyBytes - state.received else {
                throw FetchError.bodyTooLarge(limit: limits.maxBodyBytes, head: state.head)
            }
            try piece.withUnsafeReadableBytes { try state.pending.append($0) }
            state.received += piece.readableBytes
            state.waitingSince = .now
            guard let waiter = state.bodyWaiter, let ready = Self.ready(&state, limits) else {
                return (nil as BodyWaiter?, Result<Bytes?, FetchError>.success(nil))
            }
            state.bodyWaiter = nil
            return (waiter, ready)
        }
        waiter?.resume(returning: ready)
    }

    private func waitForRoom() async {
        await withCheckedContinuation { (room: CheckedContinuation<Void, Never>) in
            let mayGoOn = state.withLock { state in
                if state.pending.count < Self.highWater || state.result != nil { return true }
                state.room = room
                return false
            }
            if mayGoOn { room.resume() }
        }
    }

    /// The first end counts: whoever waits is told, and what still runs is stopped.
    private func end(_ result: Result<Void, FetchError>) {
        let last = state.withLock { state -> Last? in
            guard state.result == nil else { return nil }
            state.result = result
            var last = Last(
                carrier: state.carrier, alarm: state.alarm, room: Self.takeRoom(&state), headWaiter: state.headWaiter)
            if let waiter = state.bodyWaiter, let ready = Self.ready(&state, limits) { last.body = (waiter, ready) }
            (state.carrier, state.alarm, state.headWaiter, state.bodyWaiter) = (nil, nil, nil, nil)
            return last
        }
        guard let last else { return }
        last.alarm?.cancel()
        last.carrier?.cancel()
        last.room?.resume()
        if let waiter = last.headWaiter, case .failure(let error) = result { waiter.resume(returning: .failure(error)) }
        if let (waiter, ready) = last.body { waiter.resume(returning: ready) }
    }

    /// Who is to be told of the end.
    private struct Last {
        let carrier: Task<Void, Never>?
        let alarm: Scheduled<Void>?
        let room: CheckedContinuation<Void, Never>?
        let headWaiter: HeadWaiter?
        var body: (BodyWaiter, Result<Bytes?, FetchError>)?
    }

    // MARK: - The time

    /// Looks again at each moment in which the transfer may be too late: one alarm in `limits.timeout`, however many
    /// pieces come meanwhile. The client's own deadline ends at the head, so it is of no use here.
    private func watch(on loop: any EventLoop) {
        let now = ContinuousClock.now
        let deadline = state.withLock { state -> ContinuousClock.Instant in
            let idle = (state.room == nil ? state.waitingSince : now) + limits.timeout
            return limits.totalTimeout.map { min(idle, started + $0) } ?? idle
        }
        guard deadline > now else { return end(.failure(timeoutError)) }
        // A deadline beyond what a clock can count is looked at again in an hour.
        let pause = min(deadline - now, .seconds(3_600))
        let alarm = loop.scheduleTask(in: .nanoseconds(pause.clampedNanoseconds)) { [weak self] in
            self?.watch(on: loop)
            return ()
        }
        let isOver = state.withLock { state in
            if state.result == nil { state.alarm = alarm }
            return state.result != nil
        }
        if isOver { alarm.cancel() }
    }

    private var timeoutError: FetchError {
        let (hasHead, received) = state.withLock { ($0.head != nil, $0.received) }
        let when = hasHead ? "after \(received) bytes of the body" : "before the response's head was there"
        return FetchError(.timeout, "\(request.url.redacted) took too long: the time was up \(when).")
    }
}
#endif
