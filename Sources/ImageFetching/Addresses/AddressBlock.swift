/// The addresses that begin with the same bits, as in `192.168.0.0/16`.
struct AddressBlock: Sendable {
    private let prefix: [UInt8]
    private let bitCount: Int

    /// - Parameters:
    ///   - prefix: the leading bytes; the rest counts as zero.
    ///   - bitCount: how many leading bits an address must share. At most eight for each byte of the prefix.
    init(_ prefix: [UInt8], _ bitCount: Int) {
        self.prefix = prefix
        self.bitCount = min(bitCount, prefix.count * 8)
    }

    func contains(_ address: [UInt8]) -> Bool {
        guard address.count >= prefix.count else { return false }
        let whole = bitCount / 8
        guard address.prefix(whole) == prefix.prefix(whole) else { return false }
        let rest = bitCount % 8
        return rest == 0 || (address[whole] ^ prefix[whole]) >> UInt8(8 - rest) == 0
    }
}
