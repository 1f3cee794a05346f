#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// The terminal that standard output goes to.
struct Terminal {
    /// How long all answers may take. Over a slow line they take a tenth of a second.
    private static let patience = Duration.seconds(1)
    /// What Ctrl-C sends where it is not taken for a signal.
    private static let interrupt: UInt8 = 3

    var columns: Int
    var rows: Int
    var answer: TerminalAnswer
    /// Colours of 24 bits are understood; otherwise 256 of them.
    var hasTrueColor: Bool

    /// One character in pixels; twice as high as wide where nobody says.
    var cell: TerminalAnswer.Cell { answer.cell ?? TerminalAnswer.Cell(width: 10, height: 20) }

    /// - Parameters:
    ///   - descriptor: asked when it is a terminal.
    ///   - asks: whether it is asked what it can draw, which only a program in its foreground may.
    ///   - variables: the process's environment.
    init(_ descriptor: Int32 = STDOUT_FILENO, asks: Bool = true, variables: [String: String]) {
        var size = winsize()
        let isTerminal = isatty(descriptor) == 1
        let hasSize = isTerminal && ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0
        columns = hasSize && size.ws_col > 0 ? Int(size.ws_col) : 80
        rows = hasSize && size.ws_row > 0 ? Int(size.ws_row) : 24
        hasTrueColor = !isTerminal || ["truecolor", "24bit"].contains(variables["COLORTERM"] ?? "")
        // What is no terminal, and one that obeys nothing, would show the questions.
        let isListening = asks && isTerminal && variables["TERM"] != "dumb" && tcgetpgrp(descriptor) == getpgrp()
        answer = isListening ? Self.ask(descriptor) : TerminalAnswer([])
        if answer.cell == nil, size.ws_xpixel > 0, size.ws_ypixel > 0 {
            answer.cell = TerminalAnswer.Cell(
                width: max(1, Int(size.ws_xpixel) / columns), height: max(1, Int(size.ws_ypixel) / rows))
        }
    }

    /// Asks with keys and echo turned off, and leaves the terminal as it was.
    private static func ask(_ descriptor: Int32) -> TerminalAnswer {
        var before = termios()
        guard tcgetattr(descriptor, &before) == 0 else { return TerminalAnswer([]) }
        var raw = before
        cfmakeraw(&raw)
        guard tcsetattr(descriptor, TCSAFLUSH, &raw) == 0 else { return TerminalAnswer([]) }
        var wasInterrupted = false
        defer {
            tcsetattr(descriptor, TCSAFLUSH, &before)
            if wasInterrupted { raise(SIGINT) }
        }
        var questions = TerminalAnswer.questions
        guard questions.withUTF8({ Descriptor.writeAll(UnsafeRawBufferPointer($0), to: descriptor) }) == 0 else {
            return TerminalAnswer([])
        }
        return listen(descriptor, &wasInterrupted)
    }

    private static func listen(_ descriptor: Int32, _ wasInterrupted: inout Bool) -> TerminalAnswer {
        let end = ContinuousClock.now + patience
        var bytes: [UInt8] = []
        var answer = TerminalAnswer([])
        while !answer.isComplete, bytes.count < 4_096 {
            var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            let left = max(.zero, end - .now)
            let ready = poll(&waiting, 1, Int32(left / .milliseconds(1)))
            if ready < 0, errno == EINTR { continue }
            var chunk = [UInt8](repeating: 0, count: 256)
            let count = ready > 0 ? read(descriptor, &chunk, chunk.count) : 0
            guard count > 0 else { break }
            bytes += chunk[..<count]
            wasInterrupted = bytes.contains(interrupt)
            if wasInterrupted { break }
            answer = TerminalAnswer(bytes)
        }
        return answer
    }
}
