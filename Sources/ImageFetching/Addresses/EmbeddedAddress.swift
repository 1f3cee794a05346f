/// IPv4 addresses inside IPv6 ones: a packet to the outer address ends at the inner one, so it is the inner one that
/// counts.
enum EmbeddedAddress {
    /// What an address of sixteen bytes carries by its prefix; nil when its prefix is none of those that carry any.
    /// Every one of the addresses may be reached through it.
    static func carried(by address: [UInt8]) -> [[UInt8]]? {
        let last = Array(address.suffix(4))
        if lastFourBytes.contains(where: { $0.contains(address) }) { return [last] }
        if sixToFour.contains(address) { return [Array(address[2..<6])] }
        // RFC 4380 §4: the server in the open, the client with every bit turned.
        if teredo.contains(address) { return [Array(address[4..<8]), last.map(~)] }
        return nil
    }

    /// The IPv4 address in an ISATAP interface identifier, `0:5efe:a.b.c.d` or `200:5efe:a.b.c.d` behind any prefix
    /// (RFC 5214 §6.1).
    static func carriedByInterface(of address: [UInt8]) -> [UInt8]? {
        let marker = address[8..<12]
        guard marker == [0x00, 0x00, 0x5E, 0xFE] || marker == [0x02, 0x00, 0x5E, 0xFE] else { return nil }
        return Array(address.suffix(4))
    }

    private static let lastFourBytes: [AddressBlock] = [
        AddressBlock(zeros(12), 96),  // IPv4-compatible, RFC 4291 §2.5.5.1
        AddressBlock(zeros(10) + [0xFF, 0xFF], 96),  // IPv4-mapped, RFC 4291 §2.5.5.2
        AddressBlock(zeros(8) + [0xFF, 0xFF, 0x00, 0x00], 96),  // IPv4-translated, RFC 2765 §2.1
        AddressBlock([0x00, 0x64, 0xFF, 0x9B] + zeros(8), 96),  // NAT64, RFC 6052 §2.1
    ]
    private static let sixToFour = AddressBlock([0x20, 0x02], 16)  // RFC 3056 §2
    private static let teredo = AddressBlock([0x20, 0x01, 0x00, 0x00], 32)  // RFC 4380 §2.6

    private static func zeros(_ count: Int) -> [UInt8] { [UInt8](repeating: 0, count: count) }
}
