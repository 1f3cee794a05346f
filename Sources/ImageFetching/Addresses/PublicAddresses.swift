/// The addresses of the public Internet, after IANA's registries of special-purpose addresses for IPv4 and IPv6
/// (RFC 6890, RFC 8190) as of 2025.
enum PublicAddresses {
    /// - Parameter address: four or sixteen bytes in network order; any other count is not public.
    static func contains(_ address: [UInt8]) -> Bool {
        switch address.count {
        case 4: isPublic4(address)
        case 16: isPublic6(address)
        default: false
        }
    }

    private static func isPublic4(_ address: [UInt8]) -> Bool {
        publicParts4.contains { $0.contains(address) } || !special4.contains { $0.contains(address) }
    }

    private static func isPublic6(_ address: [UInt8]) -> Bool {
        if unusable6.contains(where: { $0.contains(address) }) { return false }
        if let carried = EmbeddedAddress.carriedByInterface(of: address), !isPublic4(carried) { return false }
        if let carried = EmbeddedAddress.carried(by: address) { return carried.allSatisfy(isPublic4) }
        // Whatever is not assigned for global unicast is reserved: no list of what may come of it can be complete.
        guard globalUnicast6.contains(address) else { return false }
        return publicParts6.contains { $0.contains(address) } || !special6.contains { $0.contains(address) }
    }

    /// Not globally reachable.
    private static let special4: [AddressBlock] = [
        AddressBlock([0], 8),  // this network, RFC 791 §3.2
        AddressBlock([10], 8),  // private, RFC 1918
        AddressBlock([100, 64], 10),  // shared between a provider and its customers, RFC 6598
        AddressBlock([127], 8),  // loopback, RFC 1122 §3.2.1.3
        AddressBlock([169, 254], 16),  // link-local and the clouds' metadata, RFC 3927
        AddressBlock([172, 16], 12),  // private, RFC 1918
        AddressBlock([192, 0, 0], 24),  // protocol assignments, RFC 6890 §2.1
        AddressBlock([192, 0, 2], 24),  // documentation, RFC 5737
        AddressBlock([192, 88, 99], 24),  // 6to4 relays, given up by RFC 7526
        AddressBlock([192, 168], 16),  // private, RFC 1918
        AddressBlock([198, 18], 15),  // measurements, RFC 2544
        AddressBlock([198, 51, 100], 24),  // documentation, RFC 5737
        AddressBlock([203, 0, 113], 24),  // documentation, RFC 5737
        AddressBlock([224], 4),  // multicast, RFC 5771
        AddressBlock([240], 4),  // reserved, RFC 1112 §4, with the broadcast address, RFC 8190
    ]

    /// What the registry excepts from the blocks above.
    private static let publicParts4: [AddressBlock] = [
        AddressBlock([192, 0, 0, 9], 32),  // Port Control Protocol anycast, RFC 7723
        AddressBlock([192, 0, 0, 10], 32),  // TURN anycast, RFC 8155
    ]

    /// RFC 4291 §2.4; IANA assigns global unicast addresses from here alone.
    private static let globalUnicast6 = AddressBlock([0x20], 3)

    /// Not judged by what they carry, although they would look as if they carried an IPv4 address.
    private static let unusable6: [AddressBlock] = [
        AddressBlock([UInt8](repeating: 0, count: 16), 128),  // unspecified, RFC 4291 §2.5.2
        AddressBlock([UInt8](repeating: 0, count: 15) + [1], 128),  // loopback, RFC 4291 §2.5.3
        // Translation for local use, RFC 8215: not globally reachable, and where the IPv4 address stands in it depends
        // on a length that only the local network knows (RFC 6052 §2.2).
        AddressBlock([0x00, 0x64, 0xFF, 0x9B, 0x00, 0x01], 48),
    ]

    /// Not globally reachable although assigned from the block of global unicast addresses.
    private static let special6: [AddressBlock] = [
        AddressBlock([0x20, 0x01, 0x00], 23),  // protocol assignments, RFC 2928
        AddressBlock([0x20, 0x01, 0x0D, 0xB8], 32),  // documentation, RFC 3849
        AddressBlock([0x3F, 0xFF, 0x00], 20),  // documentation, RFC 9637
    ]

    /// What the registry excepts from the blocks above.
    private static let publicParts6: [AddressBlock] = [
        anycast(1),  // Port Control Protocol, RFC 7723
        anycast(2),  // TURN, RFC 8155
        anycast(3),  // DNS-SD service registration, RFC 9665
        AddressBlock([0x20, 0x01, 0x00, 0x03], 32),  // multicast tunnels, RFC 7450
        AddressBlock([0x20, 0x01, 0x00, 0x04, 0x01, 0x12], 48),  // AS112, RFC 7535
        AddressBlock([0x20, 0x01, 0x00, 0x20], 28),  // ORCHIDv2, RFC 7343
        AddressBlock([0x20, 0x01, 0x00, 0x30], 28),  // drone remote identification, RFC 9374
    ]

    /// `2001:1::` and a last byte.
    private static func anycast(_ last: UInt8) -> AddressBlock {
        AddressBlock([0x20, 0x01, 0x00, 0x01] + [UInt8](repeating: 0, count: 11) + [last], 128)
    }
}
