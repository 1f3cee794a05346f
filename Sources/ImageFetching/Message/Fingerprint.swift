import CCryptoShim

/// A text as something that can be compared but not read back: addresses and header values may hold secrets, so the cache
/// keeps only these. SHA-256 of the UTF-8, in 64 hexadecimal digits.
package enum Fingerprint {
    package static func of(_ text: String) -> String {
        var text = text
        let digest = [UInt8](unsafeUninitializedCapacity: 32) { room, filled in
            let isDone = text.withUTF8 { wi_crypto_sha256($0.baseAddress, $0.count, room.baseAddress) }
            filled = isDone ? 32 : 0
        }
        // Without a digest nothing is equal to anything: that costs a cache hit, and mixes nothing up.
        guard !digest.isEmpty else { return "none-\(UInt64.random(in: .min ... .max))" }
        let digits = Array("0123456789abcdef".utf8)
        return String(
            decoding: digest.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
    }
}
