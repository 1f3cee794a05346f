import Synchronization

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// One connection of the origin, used by its own thread alone.
final class OriginConnection: Sendable {
    let number: Int
    private let socket: Int32
    private let stopping: Pipe
    private struct State {
        var input: [UInt8] = []
        var resetsNext = false
    }

    private let state = Mutex(State())

    init(socket: Int32, number: Int, stopping: Pipe) {
        self.socket = socket
        self.number = number
        self.stopping = stopping
        var yes: Int32 = 1
        setsockopt(socket, Int32(IPPROTO_TCP), TCP_NODELAY, &yes, socklen_t(MemoryLayout<Int32>.size))
        #if canImport(Darwin)
        setsockopt(socket, SOL_SOCKET, SO_NOSIGPIPE, &yes, socklen_t(MemoryLayout<Int32>.size))
        #endif
    }

    /// The lines of the next request's head; nil when the client or the server is done.
    func readHead() -> [String]? {
        var input = state.withLock { $0.input }
        var piece = [UInt8](repeating: 0, count: 8_192)
        while true {
            if let end = Self.endOfHead(input) {
                if state.withLock({ $0.resetsNext }) {
                    resetOnClose()
                    return nil
                }
                let text = String(decoding: input[..<end], as: UTF8.self)
                state.withLock { $0.input = Array(input[(end + 4)...]) }
                return text.split(separator: "\r\n").map(String.init)
            }
            guard LoopbackSocket.wait(for: socket, or: [stopping.reader]) == .ready else { return nil }
            let count = recv(socket, &piece, piece.count, 0)
            guard count > 0 else { return nil }
            input += piece[..<count]
            // No method starts like this: somebody tries TLS.
            if let first = input.first, !(0x41...0x5A).contains(first) { return nil }
        }
    }

    func close() {
        #if canImport(Glibc)
        _ = Glibc.close(socket)
        #elseif canImport(Musl)
        _ = Musl.close(socket)
        #else
        _ = Darwin.close(socket)
        #endif
    }

    /// Plays a response.
    ///
    /// - Returns: whether the connection can be used again.
    func send(_ response: OriginResponse, note: ((inout OriginRecord) -> Void) -> Void) -> Bool {
        let isComplete = play(response, note: note)
        if isComplete == nil { note { $0.abandoned += 1 } }
        return isComplete ?? false
    }

    /// Nil when the client left, otherwise whether the connection can be used again.
    private func play(_ response: OriginResponse, note: ((inout OriginRecord) -> Void) -> Void) -> Bool? {
        func write(_ bytes: [UInt8]) -> Bool {
            // Noted first: who has received the bytes finds them in the record.
            note { $0.bytesSent += bytes.count }
            return writeAll(bytes)
        }
        if let gate = response.gate, !pass(gate) { return nil }
        if let head = Self.head(of: response), !write(head) { return nil }
        var isChunked = false
        if case .chunked = response.framing { isChunked = true }
        for step in response.body {
            switch step {
            case .bytes(let bytes):
                if !write(isChunked ? Self.chunk(bytes) : bytes) { return nil }
            case .wait(let gate):
                if !pass(gate) { return nil }
            case .stall:
                waitForLeave()
                return nil
            case .endless(let bytes):
                let piece = isChunked ? Self.chunk(bytes) : bytes
                while !hasLeft, write(piece) {}
                return nil
            case .reset:
                resetOnClose()
                return false
            case .close:
                return false
            case .resetNext:
                state.withLock { $0.resetsNext = true }
            }
        }
        if isChunked, !write(Array("0\r\n\r\n".utf8)) { return nil }
        switch response.framing {
        case .length, .chunked, .declared: return true
        case .close, .raw: return false
        }
    }

    /// The status line and the fields.
    private static func head(of response: OriginResponse) -> [UInt8]? {
        var lines = ["HTTP/1.1 \(response.status) Scripted"]
        lines += response.headers.map { "\($0.name): \($0.value)" }
        let hasNoBody = response.status == 204 || response.status == 304
        switch response.framing {
        case .length: if !hasNoBody { lines.append("Content-Length: \(response.bodyLength)") }
        case .declared(let length): lines.append("Content-Length: \(length)")
        case .chunked: lines.append("Transfer-Encoding: chunked")
        case .close: lines.append("Connection: close")
        case .raw: return nil
        }
        return Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8)
    }

    private static func chunk(_ bytes: [UInt8]) -> [UInt8] {
        Array("\(String(bytes.count, radix: 16))\r\n".utf8) + bytes + Array("\r\n".utf8)
    }

    private static func endOfHead(_ input: [UInt8]) -> Int? {
        guard input.count >= 4 else { return nil }
        return (0...(input.count - 4)).first {
            input[$0] == 13 && input[$0 + 1] == 10 && input[$0 + 2] == 13 && input[$0 + 3] == 10
        }
    }

    /// Whether the gate opened before the client left or the server stopped.
    private func pass(_ gate: Gate) -> Bool {
        while true {
            var all = [gate.descriptor, stopping.reader, socket].map {
                pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
            }
            guard poll(&all, 3, -1) >= 0 || errno == EINTR else { return false }
            if all[0].revents != 0 { return true }
            if all[1].revents != 0 || (all[2].revents != 0 && hasLeft) { return false }
        }
    }

    private func waitForLeave() {
        while LoopbackSocket.wait(for: socket, or: [stopping.reader]) == .ready, !hasLeft {}
    }

    private var hasLeft: Bool {
        var byte: UInt8 = 0
        let count = recv(socket, &byte, 1, Int32(MSG_PEEK) | Int32(MSG_DONTWAIT))
        return count == 0 || (count < 0 && errno != EAGAIN && errno != EINTR)
    }

    private func resetOnClose() {
        var option = linger(l_onoff: 1, l_linger: 0)
        setsockopt(socket, SOL_SOCKET, SO_LINGER, &option, socklen_t(MemoryLayout<linger>.size))
    }

    /// False when the client left or the server stopped.
    private func writeAll(_ bytes: [UInt8]) -> Bool {
        #if canImport(Darwin)
        let flags = MSG_DONTWAIT
        #else
        let flags = Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT)
        #endif
        return bytes.withUnsafeBytes { buffer in
            var sent = 0
            while sent < buffer.count {
                let count = platformSend(buffer[sent...], flags)
                if count > 0 {
                    sent += count
                } else if count < 0, errno == EAGAIN {
                    var all = [
                        pollfd(fd: stopping.reader, events: Int16(POLLIN), revents: 0),
                        pollfd(fd: socket, events: Int16(POLLOUT), revents: 0),
                    ]
                    guard poll(&all, 2, -1) >= 0 || errno == EINTR, all[0].revents == 0 else { return false }
                } else if count < 0, errno != EINTR {
                    return false
                }
            }
            return true
        }
    }

    private func platformSend(_ bytes: Slice<UnsafeRawBufferPointer>, _ flags: Int32) -> Int {
        let bytes = UnsafeRawBufferPointer(rebasing: bytes)
        #if canImport(Glibc)
        return Glibc.send(socket, bytes.baseAddress, bytes.count, flags)
        #elseif canImport(Musl)
        return Musl.send(socket, bytes.baseAddress, bytes.count, flags)
        #else
        return Darwin.send(socket, bytes.baseAddress, bytes.count, flags)
        #endif
    }
}
