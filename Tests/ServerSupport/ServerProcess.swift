import Foundation
import Synchronization

/// A server's process, ended by its own number.
final class ServerProcess: Sendable {
    // Guarded by the mutex: whoever ends it takes it out.
    private let process: Mutex<Process?>

    /// Starts a program and reads what it says until `isReady` finds in it that the server listens.
    ///
    /// - Throws: ``ServerError`` with what the program said if it ends or is silent for 30 s before that.
    init(_ program: String, _ arguments: [String], isReady: (String) -> Bool) throws {
        let messages = Foundation.Pipe()
        let process = Process()
        process.executableURL = try Self.executable(program)
        process.arguments = arguments
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = messages
        process.standardError = messages
        try process.run()
        var said = ""
        while !isReady(said) {
            var event = pollfd(fd: messages.fileHandleForReading.fileDescriptor, events: Int16(POLLIN), revents: 0)
            let ready = poll(&event, 1, 30_000)
            if ready < 0, errno == EINTR { continue }
            let news = ready > 0 ? messages.fileHandleForReading.availableData : Data()
            guard !news.isEmpty else {
                kill(process.processIdentifier, SIGKILL)
                process.waitUntilExit()
                throw ServerError("\(program) does not start: \(said)")
            }
            said += String(decoding: news, as: UTF8.self)
        }
        // Nobody reads on: a full pipe must not stop the server.
        messages.fileHandleForReading.readabilityHandler = { _ = $0.availableData }
        self.process = Mutex(process)
    }

    deinit { end(with: SIGKILL) }

    /// Ends it and waits until it is gone. Does nothing the second time.
    ///
    /// A child starts with the signals blocked that the thread blocks that starts it, and most threads here block all:
    /// only a program that sets its signals up itself, as nginx does, sees more than `SIGKILL`.
    func end(with signal: Int32) {
        let running = process.withLock { process in
            defer { process = nil }
            return process
        }
        guard let running else { return }
        kill(running.processIdentifier, signal)
        running.waitUntilExit()
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

/// Why there is no server, in a sentence for the one who runs the tests.
package struct ServerError: Error, CustomStringConvertible {
    package let description: String

    init(_ description: String) { self.description = description }
}
