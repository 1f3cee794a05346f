import Testing
import WebImageTesting

@testable import ImageCaching

@Suite struct KeyTests {
    /// From `openssl mac -macopt size:16 … SIPHASH` with the key 00…0f and the input 00, 01, 02, ….
    @Test(
        "SipHash agrees with OpenSSL's",
        arguments: [
            (0, (0xe6a8_25ba_047f_81a3, 0x9302_55c7_1472_f66d)),
            (1, (0x44af_996b_d8c1_87da, 0x45fc_229b_1159_7634)),
            (7, (0x53c1_dbd8_beeb_f1a1, 0x3982_f01f_a64a_b8c0)),
            (8, (0x61f5_5862_baa9_623b, 0xb497_14f3_64e2_830f)),
            (9, (0xabba_d90a_0699_4426, 0xed71_6dbb_028b_7fc4)),
            (63, (0x4a83_502f_77d1_5051, 0x7cbd_3f97_9a06_3e50)),
            (64, (0x3fcd_d4c0_7d07_af1e, 0x4ba7_5836_384d_ad8c)),
            (200, (0x9dff_12ed_f453_587c, 0x2d02_4740_bc79_6a83)),
        ] as [(Int, (UInt64, UInt64))])
    func sipHash(count: Int, expected: (UInt64, UInt64)) {
        let input = (0..<count).map { UInt8($0) }
        let digest = input.withUnsafeBytes {
            SipHash.digest(of: $0, key: (0x0706_0504_0302_0100, 0x0f0e_0d0c_0b0a_0908))
        }
        #expect(digest == expected)
    }

    @Test("W029: the file name is the SHA-256 of the fields' bytes")
    func fileName() {
        #expect(DiskKey(KeyFields("")).fileName == "627d256f1d5abaa3a870e08d021ec18b8112b3e6ff0ef4a15a948eac307b20dd")
        #expect(DiskKey(KeyFields("x")).fileName.count == 64)
    }

    @Test("P17: fields that only look alike are different keys")
    func lookAlikes() {
        func fields(_ build: (inout KeyFields) -> Void) -> KeyFields {
            var fields = KeyFields("image")
            build(&fields)
            return fields
        }
        let all = [
            KeyFields(""), KeyFields("image"), KeyFields("bytes"),
            fields { $0.append("") }, fields { $0.append(optional: String?.none) },
            fields {
                $0.append("ab")
                $0.append("c")
            },
            fields {
                $0.append("a")
                $0.append("bc")
            },
            fields { $0.append("1") }, fields { $0.append(1) }, fields { $0.append(1 as UInt64) },
            fields { $0.append(1.0) }, fields { $0.append(true) }, fields { $0.append(false) },
            fields { $0.append(0.0) }, fields { $0.append(-0.0) }, fields { $0.append(0) }, fields { $0.append(-1) },
            fields { $0.append("\u{e9}") }, fields { $0.append("e\u{301}") },
            fields {
                $0.append(KeyFields("a"))
                $0.append("b")
            },
            fields { nested in
                var inner = KeyFields("a")
                inner.append("b")
                nested.append(inner)
            },
        ]
        #expect(Set(all).count == all.count)
        #expect(Set(all.map(\.digest)).count == all.count)
        #expect(Set(all.map { DiskKey($0).fileName }).count == all.count)
    }

    private enum Field: Hashable {
        case text(String)
        case signed(Int)
        case unsigned(UInt64)
        case flag(Bool)
        case missing
    }

    @Test("P17: 200,000 random lists of fields: equal keys exactly for equal lists")
    func injective() {
        var random = SeededGenerator(seed: 17)
        var seen: [KeyFields: [Field]] = [:]
        var lists: Set<[Field]> = []
        let texts = ["", "a", "aa", "\0", "\0\0", "..", "/", "1", "\u{1}", "😀", "a\0b"]
        for _ in 0..<200_000 {
            var key = KeyFields("d")
            let list: [Field] = (0..<Int.random(in: 0..<6, using: &random)).map { _ in
                switch Int.random(in: 0..<8, using: &random) {
                case 0: .signed(Int.random(in: -2..<3, using: &random))
                case 1: .unsigned(UInt64.random(in: 0..<3, using: &random))
                case 2: .flag(Bool.random(using: &random))
                case 3: .missing
                default: .text(texts[Int.random(in: 0..<texts.count, using: &random)])
                }
            }
            for field in list {
                switch field {
                case .text(let text): key.append(text)
                case .signed(let number): key.append(number)
                case .unsigned(let number): key.append(number)
                case .flag(let flag): key.append(flag)
                case .missing: key.append(optional: Int?.none)
                }
            }
            lists.insert(list)
            if let other = seen.updateValue(list, forKey: key), other != list {
                Issue.record("\(list) and \(other) have one key")
                return
            }
        }
        #expect(seen.count == lists.count)
        #expect(Set(seen.keys.map(\.digest)).count == lists.count)
    }

    @Test(
        "P17 P9: file names are hexadecimal, whatever the key holds",
        arguments: [
            "https://example.org/%00", "\0", "../../etc/passwd", "/", "a@b", "😀", "xn--bcher-kva.example",
            String(repeating: "long/", count: 1_700),
        ])
    func safeNames(text: String) {
        var fields = KeyFields("bytes")
        fields.append(text)
        let name = DiskKey(fields).fileName
        #expect(name.count == 64)
        #expect(name.allSatisfy { "0123456789abcdef".contains($0) })
    }

    @Test("W029: a key can be read back from its bytes, and only from such bytes")
    func readBack() {
        var fields = KeyFields("image")
        fields.append("https://example.org/ü.jpg")
        fields.append(-400)
        fields.append(.max as UInt64)
        fields.append(0.5)
        fields.append(true)
        fields.append(optional: String?.none)
        fields.append(KeyFields("inner"))
        let text = #"image("https://example.org/ü.jpg", -400, 18446744073709551615, 0.5, true, nil, inner())"#
        #expect(KeyFields(encoded: fields.encoded) == fields)
        #expect(fields.description == text)
        #expect(KeyFields(encoded: Array(fields.encoded.dropLast())) == nil)
        #expect(KeyFields(encoded: fields.encoded + [200]) == nil)
        #expect(KeyFields(encoded: [2] + fields.encoded.dropFirst()) == nil)
        #expect(KeyFields(encoded: []) == nil)
        let deep = (0..<200).reduce(fields) { inner, _ in
            var outer = KeyFields("outer")
            outer.append(inner)
            return outer
        }
        #expect(KeyFields(encoded: deep.encoded) == nil)
        #expect(KeyFields(encoded: [1, 1] + [UInt8](repeating: 255, count: 8)) == nil)
    }
}
