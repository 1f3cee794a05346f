import Foundation

/// Somebody at a virtual screen: the keys and the pointer of all its windows, by xdotool.
///
/// There is no window manager. Windows stay where they are put, and the keys go to the one that was given the focus.
package struct VirtualHand: Sendable {
    private let program: URL
    private let environment: [String: String]

    package init(at screen: VirtualScreen) throws {
        program = try ServerProcess.executable("xdotool")
        environment = ProcessInfo.processInfo.environment.merging(screen.environment) { $1 }
    }

    /// Does what words of xdotool say, one command or several, and returns when the X server has been told.
    ///
    /// - Returns: what it says; nil when there is no such window, or it went meanwhile.
    package func callAsFunction(_ words: String...) throws -> String? {
        let said = try ChildPipe()
        let reading = FileHandle(fileDescriptor: said.reading, closeOnDealloc: true)
        let process: ChildProcess
        do {
            defer { close(said.writing) }
            process = try ChildProcess(program, words, environment: environment, output: said.writing)
        }
        var text = ""
        while case let portion = reading.portion(), !portion.isEmpty {
            text += String(decoding: portion, as: UTF8.self)
        }
        let ending = process.wait()
        return ending.code == 0 && !ending.isKilled ? text.trimmingCharacters(in: .newlines) : nil
    }

    /// The window that has a title, once it is on the screen; nil before.
    package func window(titled title: String) throws -> String? {
        try self("search", "--onlyvisible", "--name", title)?.split(separator: "\n").first.map { String($0) }
    }
}
