#if GTK
import Foundation
import ServerSupport
import Synchronization

/// A program with windows on a virtual screen, and what can be seen of it.
final class ShownProgram: Sendable {
    /// How long a sight is waited for.
    private static let patience = Duration.seconds(600)

    let screen: VirtualScreen
    private let process: ChildProcess
    /// Its end is the end of what the program says.
    private let complaints: FileHandle
    private let said = Mutex("")

    /// Starts a program as it was built.
    ///
    /// - Parameters:
    ///   - folder: where it may keep a cache.
    ///   - screen: one that other programs draw on too; nil for one of its own.
    init(
        _ program: String, _ words: [String], cachingIn folder: URL, on screen: VirtualScreen? = nil,
        environment: [String: String] = [:]
    ) throws {
        let screen = try screen ?? VirtualScreen()
        self.screen = screen
        let pipe = try ChildPipe()
        complaints = FileHandle(fileDescriptor: pipe.reading, closeOnDealloc: true)
        defer { close(pipe.writing) }
        process = try ChildProcess(
            BuiltCommand(program).executable, words,
            environment: ProcessInfo.processInfo.environment.merging(screen.environment) { $1 }
                .merging(["XDG_CACHE_HOME": folder.path]) { $1 }.merging(environment) { $1 },
            output: pipe.writing, errors: pipe.writing)
    }

    deinit {
        process.send(SIGKILL)
        process.wait()
    }

    /// All that it has said so far while somebody looked.
    var words: String { said.withLock { $0 } }

    /// Looks again and again until what is seen is what is wanted, or the program ends.
    ///
    /// Nothing tells when a program has drawn; what is on the screen does. On a thread of its own, since others need theirs,
    /// and listening to the program between two looks.
    ///
    /// - Returns: what was seen last.
    func watch<Sight: Sendable>(
        _ look: @escaping @Sendable () -> Sight, until isWanted: @escaping @Sendable (Sight) -> Bool
    ) async -> Sight {
        await withCheckedContinuation { continuation in
            Thread.detachNewThread {
                let deadline = ContinuousClock.now + Self.patience
                var sight = look()
                while !isWanted(sight), self.listen(), ContinuousClock.now < deadline { sight = look() }
                continuation.resume(returning: sight)
            }
        }
    }

    /// What a watch sees of the screen; nil while nobody has drawn on it.
    var dump: ScreenDump? { try? ScreenDump(screen.file) }

    /// Waits until it ends by itself.
    func end() async -> ChildProcess.Ending {
        let hasEnded = await watch({ [self] in !listen() }, until: { $0 })
        if !hasEnded { process.send(SIGKILL) }
        return await process.end()
    }

    /// Ends it.
    func stop() async {
        process.send(SIGTERM)
        await process.end()
    }

    /// Takes what the program says, for a fiftieth of a second at most.
    ///
    /// - Returns: whether it goes on.
    private func listen() -> Bool {
        var waiting = pollfd(fd: complaints.fileDescriptor, events: Int16(POLLIN), revents: 0)
        guard poll(&waiting, 1, 20) > 0 else { return true }
        let news = complaints.portion()
        said.withLock { $0 += String(decoding: news, as: UTF8.self) }
        return !news.isEmpty
    }
}
#endif
