import Testing

@testable import WebImageCommand

/// What terminals say of themselves, as they say it.
@Suite struct TerminalAnswerTests {
    private static let kitty = "\u{1B}_Gi=31;OK\u{1B}\\\u{1B}[6;36;17t\u{1B}[?62;c"

    private func answer(_ text: String) -> TerminalAnswer { TerminalAnswer(Array(text.utf8)) }

    @Test("graphics, sixels and the size of a character are read")
    func answers() {
        let kitty = answer(Self.kitty)
        #expect(kitty.hasKittyGraphics && !kitty.hasSixels && kitty.isComplete)
        #expect(kitty.cell == TerminalAnswer.Cell(width: 17, height: 36))
        let xterm = answer("\u{1B}[?63;1;2;4;6;9;15;22c")
        #expect(xterm.hasSixels && !xterm.hasKittyGraphics && xterm.isComplete && xterm.cell == nil)
        // The first number names the terminal; 4 there is no attribute.
        #expect(!answer("\u{1B}[?4;6c").hasSixels)
        #expect(!answer("\u{1B}_Gi=31;ENOTSUPPORTED\u{1B}\\\u{1B}[?6c").hasKittyGraphics)
    }

    @Test("what was typed meanwhile, damage and what has not come are no answers")
    func noise() {
        for end in 0..<Self.kitty.utf8.count { #expect(!TerminalAnswer(Array(Self.kitty.utf8.prefix(end))).isComplete) }
        let typed = answer("ls\r\u{1B}[A\u{1B}OP" + Self.kitty)
        #expect(typed == answer(Self.kitty))
        // The Escape key itself, once and twice.
        #expect(answer("\u{1B}" + Self.kitty) == typed && answer("\u{1B}\u{1B}" + Self.kitty) == typed)
        #expect(answer("\u{1B}[6;0;-3t\u{1B}[6;99999999999999999999;7t\u{1B}[?c").cell == nil)
        var generator = SystemRandomNumberGenerator()
        for _ in 0..<2_000 {
            let bytes = (0..<40).map { _ in
                [0x1B, 0x5B, 0x5F, 0x3B, 0x63, 0x74, UInt8.random(in: 0...255)].randomElement(
                    using: &generator) ?? 0
            }
            _ = TerminalAnswer(bytes)
        }
    }
}
