/// Numbers as text, with the alphabet of BlurHash.
enum Base83 {
    private static let alphabet = Array(
        "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz#$%*+,-.:;=?@[]^_{|}~".utf8)

    static func digits(of text: String) throws(ProcessingError) -> [Int] {
        var digits: [Int] = []
        for byte in text.utf8 {
            guard let digit = alphabet.firstIndex(of: byte) else {
                throw .invalidHash("A BlurHash has no character like the \(digits.count + 1)th of this text.")
            }
            digits.append(digit)
        }
        return digits
    }

    static func value(_ digits: ArraySlice<Int>) -> Int { digits.reduce(0) { $0 * 83 + $1 } }

    static func digits(_ value: Int, count: Int) -> [Int] {
        var rest = value
        var digits: [Int] = []
        for _ in 0..<count {
            digits.append(rest % 83)
            rest /= 83
        }
        return digits.reversed()
    }

    static func text(_ digits: [Int]) -> String { String(decoding: digits.map { alphabet[$0] }, as: UTF8.self) }
}
