package import Foundation
import Synchronization

/// A program that was started, waited for by its number.
///
/// Foundation's `Process` reads behind the end of its buffer when more than some 1,360 files are open in this process,
/// as here where all tests are under way at once.
package final class ChildProcess: Sendable {
    /// How a program ended.
    package struct Ending: Hashable, Sendable {
        /// What it returned, or the signal that ended it.
        package let code: Int32
        package let isKilled: Bool
    }

    package let identifier: pid_t
    // Once it is gone its number may be another's.
    private let ending = Mutex<Ending?>(nil)

    /// Starts a program. It gets these files, those that were opened to be handed on, and no blocked
    /// signals.
    ///
    /// - Parameters:
    ///   - environment: all that is set there; nil for what is set here.
    ///   - input: nil for nothing to read.
    ///   - output: nil for nowhere.
    ///   - errors: nil for nowhere.
    package init(
        _ executable: URL, _ arguments: [String], environment: [String: String]? = nil, input: Int32? = nil,
        output: Int32? = nil, errors: Int32? = nil
    ) throws {
        let environment = environment ?? ProcessInfo.processInfo.environment
        identifier = try CStrings.with([executable.path] + arguments) { arguments in
            try CStrings.with(environment.map { "\($0)=\($1)" }) { environment in
                try SpawnSettings(files: [input, output, errors]).start(executable.path, arguments, environment)
            }
        }
    }

    /// Does nothing when it has ended and somebody waited for that.
    package func send(_ signal: Int32) {
        ending.withLock { if $0 == nil { _ = kill(identifier, signal) } }
    }

    /// Blocks until it has ended.
    @discardableResult
    package func wait() -> Ending {
        // Waits without the lock, so that signals can be sent meanwhile, and leaves its number to it until then.
        var information = siginfo_t()
        while waitid(P_PID, id_t(identifier), &information, WEXITED | WNOWAIT) < 0, errno == EINTR {}
        return ending.withLock { ending in
            if let ending { return ending }
            var status: Int32 = 0
            while waitpid(identifier, &status, 0) < 0, errno == EINTR {}
            let signal = status & 0x7f
            let new = Ending(code: signal == 0 ? status >> 8 & 0xff : signal, isKilled: signal != 0)
            ending = new
            return new
        }
    }

    /// Waits on a thread that may block.
    @discardableResult
    package func end() async -> Ending {
        await withCheckedContinuation { continuation in
            Thread.detachNewThread { continuation.resume(returning: self.wait()) }
        }
    }
}

/// What a child gets besides its words.
private struct SpawnSettings {
    /// Standard input, output and errors; nil for the null device.
    let files: [Int32?]

    func start(
        _ path: String, _ arguments: UnsafePointer<UnsafeMutablePointer<CChar>?>,
        _ environment: UnsafePointer<UnsafeMutablePointer<CChar>?>
    ) throws -> pid_t {
        #if canImport(Darwin)
        var actions: posix_spawn_file_actions_t?
        var attributes: posix_spawnattr_t?
        let flags = POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_CLOEXEC_DEFAULT
        #else
        var actions = posix_spawn_file_actions_t()
        var attributes = posix_spawnattr_t()
        let flags = POSIX_SPAWN_SETSIGMASK
        #endif
        try Self.check(posix_spawn_file_actions_init(&actions), path)
        defer { posix_spawn_file_actions_destroy(&actions) }
        try Self.check(posix_spawnattr_init(&attributes), path)
        defer { posix_spawnattr_destroy(&attributes) }
        for (number, file) in files.enumerated() {
            let number = Int32(number)
            if let file {
                try Self.check(posix_spawn_file_actions_adddup2(&actions, file, number), path)
            } else {
                let mode = number == 0 ? O_RDONLY : O_WRONLY
                try Self.check(posix_spawn_file_actions_addopen(&actions, number, "/dev/null", mode, 0), path)
            }
        }
        var signals = sigset_t()
        sigemptyset(&signals)
        try Self.check(posix_spawnattr_setsigmask(&attributes, &signals), path)
        try Self.check(posix_spawnattr_setflags(&attributes, Int16(flags)), path)
        var identifier: pid_t = 0
        try Self.check(posix_spawn(&identifier, path, &actions, &attributes, arguments, environment), path)
        return identifier
    }

    private static func check(_ code: Int32, _ path: String) throws {
        guard code == 0 else { throw ServerError("\(path) does not start: \(String(cString: strerror(code)))") }
    }
}

/// Words as C takes them: a list of pointers that ends with none.
private enum CStrings {
    static func with<Result>(
        _ words: [String], _ body: (UnsafePointer<UnsafeMutablePointer<CChar>?>) throws -> Result
    ) rethrows -> Result {
        var pointers = words.map { strdup($0) } + [nil]
        defer { for pointer in pointers { free(pointer) } }
        return try pointers.withUnsafeMutableBufferPointer { buffer in
            guard let start = buffer.baseAddress else { return try body([nil]) }
            return try body(UnsafePointer(start))
        }
    }
}
