import Synchronization
import SystemThreads

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif
#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// An HTTP/1.1 server on the loopback interface for tests: well-behaved or misbehaving, as its routes say.
///
/// ```swift
/// let origin = try OriginServer()
/// origin.route("/cat.jpg", .file(bytes, type: "image/jpeg"))
/// origin.route("/late.jpg", .file(bytes).held(by: gate))
/// let image = try await pipeline.image(for: origin.url("/cat.jpg"))
/// #expect(origin.record.paths == ["/cat.jpg"])
/// ```
///
/// It never sleeps: gates hold responses back, ``waitUntil(_:)`` waits for what clients do. Paths without a route
/// answer 404. It has a thread for each connection, and all of them end in ``stop()``.
public final class OriginServer: Sendable {
    public typealias Handler = @Sendable (OriginRequest) -> OriginResponse

    private struct Waiter {
        let condition: @Sendable (OriginRecord) -> Bool
        let continuation: CheckedContinuation<Void, Never>
    }

    private struct State {
        var routes: [String: Handler] = [:]
        var record = OriginRecord()
        var ordinals: [String: Int] = [:]
        var waiters: [Waiter] = []
        var threads: [SystemThread] = []
        var isStopped = false
    }

    /// The server could not be set up.
    public struct SetUpError: Error {
        public let call: String
        public let number: Int32
    }

    /// The port that the system chose.
    public let port: UInt16
    private let listener: Int32
    private let stopping = Pipe()
    private let state = Mutex(State())

    /// Listens on 127.0.0.1 at a free port.
    ///
    /// - Throws: ``SetUpError``.
    public init() throws {
        (listener, port) = try LoopbackSocket.bound(listening: true)
        let (listener, stopping) = (listener, stopping)
        let accepting = SystemThread.start("origin") { [weak self] in
            while LoopbackSocket.wait(for: listener, or: [stopping.reader]) == .ready {
                let connection = accept(listener, nil, nil)
                guard connection >= 0 else { continue }
                guard let self else {
                    close(connection)
                    return
                }
                self.serve(connection)
            }
        }
        guard let accepting else {
            close(listener)
            throw SetUpError(call: "pthread_create", number: EAGAIN)
        }
        state.withLock { $0.threads.append(accepting) }
    }

    deinit { stop() }

    /// Answers a path, whatever its query, always in the same way.
    public func route(_ path: String, _ response: OriginResponse) {
        route(path) { _ in response }
    }

    /// Answers a path's requests one after the other; the last answer repeats.
    public func route(_ path: String, _ responses: [OriginResponse]) {
        route(path) { request in
            responses.isEmpty ? .status(404) : responses[min(request.ordinal, responses.count - 1)]
        }
    }

    /// Answers a path by what was asked.
    public func route(_ path: String, handler: @escaping Handler) {
        state.withLock { $0.routes[path] = handler }
    }

    /// The address of a path on this server, which may have a query.
    public func url(_ path: String) -> URL {
        Self.url(port: port, path: path)
    }

    /// An address on this machine where nothing listens: connecting is refused.
    ///
    /// - Throws: ``SetUpError``.
    public static func refusingURL(_ path: String = "/") throws -> URL {
        let (socket, port) = try LoopbackSocket.bound(listening: false)
        close(socket)
        return url(port: port, path: path)
    }

    /// What happened so far.
    public var record: OriginRecord { state.withLock { $0.record } }

    /// Waits until the record satisfies a condition; returns at once when it does, or when the server was stopped.
    public func waitUntil(_ condition: @escaping @Sendable (OriginRecord) -> Bool) async {
        await withCheckedContinuation { continuation in
            let isMet = state.withLock { state in
                if state.isStopped || condition(state.record) { return true }
                state.waiters.append(Waiter(condition: condition, continuation: continuation))
                return false
            }
            if isMet { continuation.resume() }
        }
    }

    /// Closes every connection and waits for every thread. What is held back is never sent.
    public func stop() {
        let (threads, waiters, wasStopped) = state.withLock { state in
            defer {
                state.isStopped = true
                state.threads = []
                state.waiters = []
            }
            return (state.threads, state.waiters, state.isStopped)
        }
        guard !wasStopped else { return }
        stopping.closeWriter()
        for waiter in waiters { waiter.continuation.resume() }
        for thread in threads { thread.isCurrent ? thread.detach() : thread.join() }
        close(listener)
    }

    private static func url(port: UInt16, path: String) -> URL {
        guard let url = URL(string: "http://127.0.0.1:\(port)\(path)") else {
            preconditionFailure("\(path) is not a usable path")
        }
        return url
    }
}

// MARK: - The connections' side

extension OriginServer {
    private func serve(_ socket: Int32) {
        var number = 0
        note { record in
            number = record.connections
            record.connections += 1
            record.openConnections += 1
        }
        let stopping = stopping
        let connection = OriginConnection(socket: socket, number: number, stopping: stopping)
        let thread = SystemThread.start("origin") { [weak self] in
            while let lines = connection.readHead() {
                guard let self, let response = self.answer(lines, on: connection) else { break }
                let sent = connection.send(response) { self.note($0) }
                if !sent { break }
            }
            connection.close()
            self?.note { $0.openConnections -= 1 }
        }
        guard let thread else { return connection.close() }
        let isLate = state.withLock { state in
            if !state.isStopped { state.threads.append(thread) }
            return state.isStopped
        }
        if isLate { thread.detach() }
    }

    private func answer(_ lines: [String], on connection: OriginConnection) -> OriginResponse? {
        let words = (lines.first ?? "").split(separator: " ")
        guard words.count == 3 else { return .status(400) }
        let target = String(words[1])
        let path = String(target.prefix { $0 != "?" })
        let headers = lines.dropFirst().compactMap { line -> (name: String, value: String)? in
            guard let colon = line.firstIndex(of: ":") else { return nil }
            return (String(line[..<colon]), String(line[line.index(after: colon)...].drop { $0 == " " }))
        }
        let ordinal = state.withLock { state in
            defer { state.ordinals[path, default: 0] += 1 }
            return state.ordinals[path, default: 0]
        }
        let request = OriginRequest(
            method: String(words[0]), target: target, headers: headers, connection: connection.number, ordinal: ordinal)
        note { $0.requests.append(request) }
        return state.withLock { $0.routes[path] }?(request) ?? .status(404, text: "There is nothing here.")
    }

    /// Changes the record and tells who waits for that.
    private func note(_ change: (inout OriginRecord) -> Void) {
        let met = state.withLock { state in
            change(&state.record)
            let record = state.record
            let met = state.waiters.filter { $0.condition(record) }
            if !met.isEmpty { state.waiters.removeAll { $0.condition(record) } }
            return met
        }
        for waiter in met { waiter.continuation.resume() }
    }
}
