import Synchronization
import WebImage

/// Draws a ``ProgressBoard`` on standard error, over its own last drawing. Draws nothing when nobody looks.
final class ProgressDisplay: Sendable {
    private struct State {
        var board: ProgressBoard
        var drawnLines = 0
    }

    private let state: Mutex<State>
    private let isOn: Bool

    init(total: Int, isOn: Bool) {
        state = Mutex(State(board: ProgressBoard(total: total)))
        self.isOn = isOn
    }

    func update(_ id: Int, name: String, _ progress: FetchProgress) {
        change { $0.update(id, name: name, received: progress.received, expected: progress.expected) }
    }

    func finish(_ id: Int, failed: Bool) {
        change { $0.finish(id, failed: failed) }
    }

    /// Takes the bars away, so that what follows starts on a clean line.
    func clear() {
        guard isOn else { return }
        state.withLock { state in
            Output.control(Self.erase(state.drawnLines))
            state.drawnLines = 0
        }
    }

    private func change(_ edit: (inout ProgressBoard) -> Void) {
        state.withLock { state in
            edit(&state.board)
            guard isOn else { return }
            let lines = state.board.lines(columns: Output.columns)
            Output.control(Self.erase(state.drawnLines) + lines.map { $0 + "\n" }.joined())
            state.drawnLines = lines.count
        }
    }

    /// Up by so many lines, then clear to the end of the screen (ECMA-48: CUU, ED).
    private static func erase(_ lines: Int) -> String {
        lines > 0 ? "\u{1B}[\(lines)A\u{1B}[J" : ""
    }
}
