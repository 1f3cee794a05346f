import Pixels
import Testing

@testable import ImageCoding

struct ExifOrientationTests {
    private static func tiff(
        bigEndian: Bool, value: UInt16, type: UInt16 = 3, tag: UInt16 = 0x0112, directory: UInt32 = 8,
        entryCount: UInt16 = 1
    ) -> [UInt8] {
        func short(_ value: UInt16) -> [UInt8] {
            withUnsafeBytes(of: bigEndian ? value.bigEndian : value.littleEndian) { Array($0) }
        }
        func long(_ value: UInt32) -> [UInt8] {
            withUnsafeBytes(of: bigEndian ? value.bigEndian : value.littleEndian) { Array($0) }
        }
        let header = (bigEndian ? [0x4D, 0x4D] : [0x49, 0x49]) + short(42) + long(directory)
        return header + short(entryCount) + short(tag) + short(type) + long(1) + short(value) + short(0) + long(8)
    }

    private static func read(_ bytes: [UInt8]) -> Orientation? {
        bytes.withUnsafeBytes { ExifOrientation.read(fromTIFF: $0) }
    }

    @Test("C237 P24: all eight values are read in both byte orders", arguments: Orientation.allCases, [true, false])
    func allValues(orientation: Orientation, bigEndian: Bool) {
        let bytes = Self.tiff(bigEndian: bigEndian, value: UInt16(orientation.rawValue))
        #expect(Self.read(bytes) == orientation)
    }

    @Test("C237 F11: values outside 1…8 mean upright", arguments: [0, 9, 255, 65_535] as [UInt16])
    func strangeValues(value: UInt16) {
        #expect(Self.read(Self.tiff(bigEndian: false, value: value)) == .up)
    }

    @Test("a missing tag is not an orientation")
    func absent() {
        #expect(Self.read(Self.tiff(bigEndian: false, value: 6, tag: 0x0110)) == nil)
    }

    @Test("a text is not an orientation")
    func wrongType() {
        #expect(Self.read(Self.tiff(bigEndian: true, value: 6, type: 2)) == nil)
    }

    @Test("F10: a directory that points at itself, past the end or into the header ends the search")
    func hostileDirectories() {
        for directory: UInt32 in [0, 4, 7, 25, 1_000, .max] {
            #expect(Self.read(Self.tiff(bigEndian: true, value: 6, directory: directory)) == nil)
        }
        // 65,535 entries are announced; the first is there.
        #expect(Self.read(Self.tiff(bigEndian: true, value: 6, entryCount: .max)) == .right)
        #expect(Self.read(Self.tiff(bigEndian: true, value: 6, tag: 1, entryCount: .max)) == nil)
    }

    @Test("F2: no prefix is read past its end")
    func prefixes() {
        let whole = Self.tiff(bigEndian: true, value: 6)
        for length in 0..<whole.count {
            let expected: Orientation? = length >= 20 ? .right : nil
            #expect(Self.read(Array(whole.prefix(length))) == expected)
        }
    }
}
