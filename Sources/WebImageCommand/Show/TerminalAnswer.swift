/// What a terminal answers when it is asked what it can draw.
struct TerminalAnswer: Hashable {
    /// It takes pictures by kitty's graphics protocol.
    var hasKittyGraphics = false
    /// It takes sixels (DEC STD 070 ch. 9; attribute 4 of the answer to "device attributes").
    var hasSixels = false
    /// The size of one character in pixels, `nil` when it does not say.
    var cell: Cell?
    /// The answer that every terminal gives, and gives last, has come.
    var isComplete = false

    struct Cell: Hashable {
        var width: Int
        var height: Int
    }

    /// The questions: whether a picture of one pixel could be shown, how large a character is, and who it is. All terminals
    /// answer the last one, so nobody waits for the others longer than for that.
    static let questions = "\u{1B}_Gi=31,s=1,v=1,a=q,t=d,f=24;AAAA\u{1B}\\" + "\u{1B}[16t" + "\u{1B}[c"

    /// Reads what has come so far. Whatever is no answer, keys that were pressed for example, is passed over.
    init(_ bytes: [UInt8]) {
        var rest = bytes[...]
        while let start = rest.firstIndex(of: 0x1B), start + 1 < rest.endIndex {
            let kind = rest[start + 1]
            rest = rest[(start + 2)...]
            switch kind {
            case UInt8(ascii: "_"):
                guard let end = rest.firstIndex(of: 0x1B) else { return }
                let text = String(decoding: rest[..<end], as: UTF8.self)
                if text.hasPrefix("Gi=31"), text.hasSuffix(";OK") { hasKittyGraphics = true }
                rest = rest[end...]
            case UInt8(ascii: "["):
                // Parameters are in 0x30…0x3F, the final byte in 0x40…0x7E (ECMA-48 §5.4).
                guard let end = rest.firstIndex(where: { (0x40...0x7E).contains($0) }) else { return }
                take(rest[..<end], final: rest[end])
                rest = rest[(end + 1)...]
            // What follows a key that begins as answers do may be an answer.
            default: rest = bytes[(start + 1)...]
            }
        }
    }

    private mutating func take(_ parameters: ArraySlice<UInt8>, final: UInt8) {
        let isPrivate = parameters.first == UInt8(ascii: "?")
        let numbers = parameters.drop { $0 == UInt8(ascii: "?") }
            .split(separator: UInt8(ascii: ";"), omittingEmptySubsequences: false)
            .map { Int(String(decoding: $0, as: UTF8.self)) ?? 0 }
        switch final {
        case UInt8(ascii: "c") where isPrivate:
            hasSixels = numbers.dropFirst().contains(4)
            isComplete = true
        case UInt8(ascii: "t") where numbers.count == 3 && numbers[0] == 6:
            let sides = 1...512
            if sides.contains(numbers[1]), sides.contains(numbers[2]) {
                cell = Cell(width: numbers[2], height: numbers[1])
            }
        default: break
        }
    }
}
