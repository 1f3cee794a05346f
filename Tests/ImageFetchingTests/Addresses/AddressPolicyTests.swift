import ImageFetching
import Testing

/// What the ready-made policy makes of addresses, form by form.
@Suite struct AddressPolicyTests {
    static let refused = [
        // IPv4, the first and the last of each block.
        "0.0.0.0", "0.255.255.255", "10.0.0.0", "10.255.255.255", "100.64.0.0", "100.127.255.255", "127.0.0.1",
        "127.255.255.255", "169.254.0.0", "169.254.169.254", "169.254.255.255", "172.16.0.0", "172.31.255.255",
        "192.0.0.0", "192.0.0.8", "192.0.0.11", "192.0.0.170", "192.0.2.1", "192.88.99.1", "192.168.0.0",
        "192.168.255.255", "198.18.0.0", "198.19.255.255", "198.51.100.7", "203.0.113.7", "224.0.0.1",
        "239.255.255.255", "240.0.0.0", "255.255.255.254", "255.255.255.255",
        // IPv6.
        "::", "::1", "fc00::1", "fdff:ffff::1", "fe80::1", "febf::1", "fec0::1", "feff::1", "ff00::", "ff02::1",
        "ff0e::1", "2001:db8::1", "2001:db8:ffff::1", "3fff::1", "3fff:fff:ffff::1", "100::1", "100:0:0:1::1",
        "5f00::1", "4000::1", "2001:1::4", "2001:2::1", "2001:10::1", "2001:1ff::1",
        // IPv4 inside.
        "::ffff:127.0.0.1", "::ffff:10.0.0.1", "::ffff:169.254.169.254", "::127.0.0.1", "::10.1.2.3",
        "::ffff:0:127.0.0.1", "::ffff:0:192.168.1.1", "2002:7f00:1::", "2002:a9fe:a9fe::1", "2002:c0a8:101::1",
        "64:ff9b::127.0.0.1", "64:ff9b::10.0.0.1", "64:ff9b:1::8.8.8.8", "64:ff9b:1:808:8:800::",
        // Teredo: a private server, then a private client behind turned bits.
        "2001:0:7f00:1:0:0:f7f7:f7f7", "2001:0:808:808::80ff:fffe", "2001:0:808:808::f5ff:fffe",
        // ISATAP behind a public prefix, and behind a 6to4 one.
        "2a00:1450::5efe:127.0.0.1", "2a00:1450::200:5efe:10.0.0.1", "2002:808:808:0:0:5efe:a9fe:a9fe",
    ]

    static let allowed = [
        "1.1.1.1", "8.8.8.8", "9.255.255.255", "11.0.0.0", "100.63.255.255", "100.128.0.0", "126.255.255.255",
        "128.0.0.0", "169.253.255.255", "169.255.0.0", "172.15.255.255", "172.32.0.0", "192.0.0.9", "192.0.0.10",
        "192.0.1.0", "192.88.98.255", "192.167.255.255", "192.169.0.0", "198.17.255.255", "198.20.0.0",
        "223.255.255.255", "2000::1", "2a00:1450:4001::200e", "2606:4700::1111", "3ffe:ffff::1", "2001:200::1",
        "2001:1::1", "2001:1::2", "2001:1::3", "2001:3::1", "2001:4:112::1", "2001:20::1", "2001:30::1",
        "2001:db7::1", "2001:db9::1", "::ffff:8.8.8.8", "::8.8.8.8", "::ffff:0:8.8.8.8", "2002:808:808::1",
        "64:ff9b::8.8.8.8", "2001:0:808:808::f7f7:f7f7", "2a00:1450::5efe:8.8.8.8", "2a00:1450::200:5efe:8.8.4.4",
    ]

    @Test("F28: addresses that are not the public Internet's are refused", arguments: refused)
    func refuses(_ text: String) throws {
        let peer = try #require(PeerAddress(text, port: 80))
        #expect(!AddressPolicy.publicOnly.allows(peer))
        #expect(AddressPolicy.any.allows(peer))
    }

    @Test("F28: their neighbours and the public Internet are allowed", arguments: allowed)
    func allows(_ text: String) throws {
        #expect(AddressPolicy.publicOnly.allows(try #require(PeerAddress(text, port: 80))))
    }

    @Test("F28: every IPv4 address is judged the same in all forms that carry it") func forms() throws {
        for first in UInt8.min...UInt8.max {
            for rest: [UInt8] in [
                [0, 0, 9], [0, 2, 1], [16, 0, 1], [64, 0, 1], [168, 1, 1], [254, 169, 254], [88, 99, 1],
            ] {
                let inner = [first] + rest
                let zeros = [UInt8](repeating: 0, count: 12)
                let verdict = AddressPolicy.publicOnly.allows(PeerAddress(bytes: inner, port: 80))
                let forms: [[UInt8]] = [
                    zeros[..<10] + [0xFF, 0xFF] + inner, zeros[..<8] + [0xFF, 0xFF, 0, 0] + inner, zeros + inner,
                    [0x00, 0x64, 0xFF, 0x9B] + zeros[..<8] + inner, [0x20, 0x02] + inner + zeros[..<10],
                    [0x20, 0x01, 0, 0, 8, 8, 8, 8, 0, 0, 0, 0] + inner.map(~),
                    [0x20, 0x01, 0, 0] + inner + [0, 0, 0, 0, 0xF7, 0xF7, 0xF7, 0xF7],
                    [0x2A, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x5E, 0xFE] + inner,
                    [0x2A, 0, 0, 0, 0, 0, 0, 0, 2, 0, 0x5E, 0xFE] + inner,
                ]
                for form in forms {
                    let peer = PeerAddress(bytes: form, port: 80)
                    #expect(AddressPolicy.publicOnly.allows(peer) == verdict, "\(peer)")
                }
            }
        }
    }

    @Test("Bytes that are no address are refused") func noAddress() {
        for count in [0, 1, 3, 5, 8, 15, 17] {
            let peer = PeerAddress(bytes: [UInt8](repeating: 8, count: count), port: 80)
            #expect(!AddressPolicy.publicOnly.allows(peer))
        }
    }

    @Test("Addresses are read strictly and written as usual") func text() throws {
        #expect(PeerAddress("192.0.2.1", port: 80)?.description == "192.0.2.1:80")
        #expect(PeerAddress("2001:DB8:0:0::1", port: 443)?.description == "[2001:db8::1]:443")
        #expect(PeerAddress("::ffff:127.0.0.1")?.bytes == [UInt8](repeating: 0, count: 10) + [255, 255, 127, 0, 0, 1])
        #expect(PeerAddress(bytes: [1, 2], port: 3).description == "[1, 2]:3")
        for text in ["", "127.1", "2130706433", "0x7f.0.0.1", "1.2.3.4.5", "[::1]", "fe80::1%lo", "host", "1.2.3.4 "] {
            #expect(PeerAddress(text) == nil)
        }
    }
}
