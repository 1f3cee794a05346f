import Foundation
import Synchronization

/// A server's process, ended by its own number.
final class ServerProcess: Sendable {
    private let process: ChildProcess
    private let hasEnded = Mutex(false)

    /// Starts a program and reads what it says until `isReady` finds in it that the server listens.
    ///
    /// - Throws: ``ServerError`` with what the program said if it ends or is silent for 30 s before that.
    init(_ program: String, _ arguments: [String], isReady: (String) -> Bool) throws {
        let messages = Foundation.Pipe()
        let (reading, writing) = (messages.fileHandleForReading, messages.fileHandleForWriting)
        let process = try ChildProcess(
            Self.executable(program), arguments, output: writing.fileDescriptor, errors: writing.fileDescriptor)
        try writing.close()
        var said = ""
        while !isReady(said) {
            var event = pollfd(fd: reading.fileDescriptor, events: Int16(POLLIN), revents: 0)
            let ready = poll(&event, 1, 30_000)
            if ready < 0, errno == EINTR { continue }
            let news = ready > 0 ? reading.portion() : []
            guard !news.isEmpty else {
                process.send(SIGKILL)
                process.wait()
                throw ServerError("\(program) does not start: \(said)")
            }
            said += String(decoding: news, as: UTF8.self)
        }
        // Nobody reads on: a full pipe must not stop the server.
        Thread.detachNewThread { while !reading.portion().isEmpty {} }
        self.process = process
    }

    deinit { end(with: SIGKILL) }

    /// Ends it and waits until it is gone. Does nothing the second time.
    func end(with signal: Int32) {
        let isFirst = hasEnded.withLock { hasEnded in
            defer { hasEnded = true }
            return !hasEnded
        }
        guard isFirst else { return }
        process.send(signal)
        process.wait()
    }

    /// Where a program is, also where only the administrator's path leads.
    static func executable(_ name: String) throws -> URL {
        let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
        let folders = path.split(separator: ":").map(String.init)
        let all = folders + ["/usr/sbin", "/usr/local/sbin", "/usr/bin", "/opt/homebrew/bin"]
        let found = all.map { URL(filePath: $0).appending(path: name) }
            .first { FileManager.default.isExecutableFile(atPath: $0.path) }
        guard let found else {
            throw ServerError("There is no \(name) for this test to use: run `make packages`.")
        }
        return found
    }
}

extension FileHandle {
    /// What there is to read, once there is something; empty at the end.
    ///
    /// Not by Foundation, whose reads end this process when a signal interrupts them.
    package func portion() -> ArraySlice<UInt8> {
        var bytes = [UInt8](repeating: 0, count: 4_096)
        while true {
            let count = Foundation.read(fileDescriptor, &bytes, bytes.count)
            if count >= 0 { return bytes.prefix(count) }
            if errno != EINTR { return [] }
        }
    }
}

/// Why there is no server, in a sentence for the one who runs the tests.
package struct ServerError: Error, CustomStringConvertible {
    package let description: String

    init(_ description: String) { self.description = description }
}
