#if JPEG
import Pixels
import Synchronization
import Testing

@testable import ImageCoding

struct JPEGDamageTests {
    static let kinds = ["baseline", "restart", "scan-per-colour", "progressive", "luma-first", "arithmetic", "cmyk"]

    @Test("F2: a file that ends early is truncated at any size, never half a picture", arguments: kinds)
    func truncation(name: String) throws {
        let bytes = try Fixture.bytes("jpeg/\(name).jpg")
        for sixteenth in 0..<16 {
            let part = Array(bytes.prefix(bytes.count * sixteenth / 16))
            let expected: CodingError.Code = part.isEmpty ? .empty : .truncated
            for scale in DCTScale.allCases {
                let size = scale.applied(to: PixelSize(width: 64, height: 48))
                let options = DecodeOptions(minimumSize: size)
                let code = try failure { _ = try DecodedPixels(jpeg: part, options: options) }
                #expect(code == expected, "\(sixteenth)/16 at \(scale)")
            }
        }
    }

    @Test("F2: cut anywhere: an error, or all pixels", arguments: ["baseline", "progressive", "scan-per-colour"])
    func everyCut(name: String) throws {
        let bytes = try Fixture.bytes("jpeg/\(name).jpg")
        let whole = try DecodedPixels(jpeg: bytes).hash
        let cuts = Array(stride(from: 1, to: bytes.count, by: 211)) + Array(bytes.count - 40..<bytes.count)
        for cut in cuts {
            var hash: UInt64 = 0
            let code = try failure { hash = try DecodedPixels(jpeg: Array(bytes.prefix(cut))).hash }
            #expect(code == .truncated || hash == whole, "cut at \(cut): \(String(describing: code))")
        }
    }

    @Test("F9: only the end marker is missing", arguments: kinds.filter { $0 != "arithmetic" })
    func missingEnd(name: String) throws {
        let bytes = try Fixture.bytes("jpeg/\(name).jpg")
        #expect(bytes.suffix(2) == [0xFF, 0xD9])
        #expect(try DecodedPixels(jpeg: Array(bytes.dropLast(2))).hash == DecodedPixels(jpeg: bytes).hash)
    }

    @Test("an end marker in the middle does not make a picture whole", arguments: kinds.filter { $0 != "arithmetic" })
    func earlyEnd(name: String) throws {
        let bytes = try Fixture.bytes("jpeg/\(name).jpg")
        let data = try bytes.offset(ofMarker: 0xDA) + 40
        let cut = Array(bytes[..<data]) + [0xFF, 0xD9]
        #expect(try failure { _ = try DecodedPixels(jpeg: cut) } == .malformed)
    }

    @Test("a colour that never comes does not make a picture")
    func missingColour() throws {
        let bytes = try Fixture.bytes("jpeg/scan-per-colour.jpg")
        let second = try bytes.offset(ofMarker: 0xDA, from: bytes.offset(ofMarker: 0xDA) + 2)
        let part = Array(bytes[..<second])
        #expect(try failure { _ = try DecodedPixels(jpeg: part) } == .truncated)
        #expect(try failure { _ = try DecodedPixels(jpeg: part + [0xFF, 0xD9]) } == .malformed)
    }

    @Test("F2: cut between two scans", arguments: ["progressive", "luma-first", "scan-per-colour"])
    func cutBetweenScans(name: String) throws {
        let bytes = try Fixture.bytes("jpeg/\(name).jpg")
        var scans: [Int] = []
        bytes.withUnsafeBytes { all in
            var reader = JPEGMarkerReader(all, from: 2)
            while case .segment(let segment) = reader.next() {
                guard segment.marker == JPEGMarker.startOfScan else { continue }
                scans.append(segment.start)
                reader.skipEntropyCodedData()
            }
        }
        #expect(scans.count >= 3)
        for scan in scans {
            #expect(try failure { _ = try DecodedPixels(jpeg: Array(bytes[..<scan])) } == .truncated)
        }
    }

    @Test("F9: a restart marker that is missing or wrong")
    func restartMarkers() throws {
        let bytes = try Fixture.bytes("jpeg/restart.jpg")
        let marker = try bytes.offset(ofMarker: 0xD2)
        var wrong = bytes
        wrong[marker + 1] = 0xD6
        #expect(try failure { _ = try DecodedPixels(jpeg: wrong) } == .malformed)
        var missing = bytes
        missing.removeSubrange(marker..<marker + 2)
        #expect(try failure { _ = try DecodedPixels(jpeg: missing) } == .malformed)
    }

    @Test("F9: bytes between segments and after the picture do no harm", arguments: ["baseline", "progressive"])
    func garbageBetween(name: String) throws {
        let bytes = try Fixture.bytes("jpeg/\(name).jpg")
        let tables = try bytes.offset(ofMarker: 0xDB)
        let odd = Array(bytes[..<tables]) + [1, 2, 3, 0xFF, 0xFF] + bytes[tables...] + [9, 9, 9]
        #expect(try DecodedPixels(jpeg: odd).hash == DecodedPixels(jpeg: bytes).hash)
    }

    @Test("odd versions of JFIF and Adobe do no harm")
    func oddVersions() throws {
        var bytes = try Fixture.bytes("jpeg/baseline.jpg")
        let expected = try DecodedPixels(jpeg: bytes).hash
        bytes[11] = 9
        #expect(try DecodedPixels(jpeg: bytes).hash == expected)
    }

    @Test("F3: flipped bits give a picture or a typed error, twice the same", arguments: kinds)
    func flippedBits(name: String) throws {
        let bytes = try Fixture.bytes("jpeg/\(name).jpg")
        var generator = SplitMix(state: 11)
        for _ in 0..<250 {
            var damaged = bytes
            let position = Int(generator.next() % UInt64(bytes.count))
            damaged[position] ^= 1 << UInt8(generator.next() % 8)
            let options = DecodeOptions(
                minimumSize: generator.next() % 2 == 0 ? nil : PixelSize(width: 20, height: 15),
                limits: DecodeLimits(maxPixels: 1 << 20))
            func outcome() throws -> (code: CodingError.Code?, bytes: [UInt8]) {
                var bytes: [UInt8] = []
                let code = try failure { bytes = try DecodedPixels(jpeg: damaged, options: options).bytes }
                return (code, bytes)
            }
            let (first, second) = try (outcome(), outcome())
            #expect(first.code == second.code)
            #expect(first.bytes == second.bytes)
            #expect(first.bytes.isEmpty == (first.code != nil))
        }
    }

    @Test("limits are checked before the sink hears anything")
    func limits() throws {
        var bytes = try Fixture.bytes("jpeg/baseline.jpg")
        func code(_ limits: DecodeLimits) throws -> CodingError.Code? {
            let sink = DeafSink()
            return try bytes.withUnsafeBytes { bytes in
                try failure { try JPEGDecoder().decode(bytes, options: DecodeOptions(limits: limits), into: sink) }
            }
        }
        #expect(try code(DecodeLimits(maxPixels: 203 * 149 - 1)) == .tooManyPixels)
        #expect(try code(DecodeLimits(maxSide: 202)) == .sideTooLong)
        #expect(try code(DecodeLimits(maxInputBytes: bytes.count - 1)) == .tooManyBytes)
        let size = try bytes.offset(ofMarker: 0xC0)
        bytes.replaceSubrange(size + 5..<size + 9, with: [0xFF, 0xFF, 0xFF, 0xFF])
        #expect(try code(.default) == .tooManyPixels)
        // The library takes 65,500 at the most.
        #expect(try code(DecodeLimits(maxPixels: .max)) == .sideTooLong)
    }

    @Test("coefficients of a progressive picture may take a gibibyte")
    func coefficientMemory() throws {
        var bytes = try Fixture.bytes("jpeg/progressive.jpg")
        let size = try bytes.offset(ofMarker: 0xC2)
        bytes.replaceSubrange(size + 5..<size + 9, with: [0x75, 0x30, 0x75, 0x30])
        let options = DecodeOptions(limits: DecodeLimits(maxPixels: .max))
        let sink = DeafSink()
        let code = try bytes.withUnsafeBytes { bytes in
            try failure { try JPEGDecoder().decode(bytes, options: options, into: sink) }
        }
        #expect(code == .tooComplex)
    }

    @Test("F8: a file of 10,000 scans is refused", arguments: ["progressive", "scan-per-colour"])
    func scanBomb(name: String) throws {
        let bytes = try Fixture.bytes("jpeg/\(name).jpg")
        let first = try bytes.offset(ofMarker: 0xDA)
        let second = try bytes.offset(ofMarker: 0xDA, from: first + 2)
        // For a progressive file a refinement of the mean, for the other one the first colour again and again.
        let scan =
            name == "progressive"
            ? [0xFF, 0xDA, 0, 8, 1, 1, 0, 0, 0, 0x10] + [UInt8](repeating: 0, count: 70) : Array(bytes[first..<second])
        let bomb = Array(bytes[..<second]) + (0..<10_000).flatMap { _ in scan } + bytes[second...]
        #expect(try failure { _ = try DecodedPixels(jpeg: bomb) } == .tooComplex)
    }

    @Test("F8: a large picture may have fewer scans")
    func scannedPixels() throws {
        let bytes = try Fixture.bytes("jpeg/progressive.jpg")
        let second = try bytes.offset(ofMarker: 0xDA, from: bytes.offset(ofMarker: 0xDA) + 2)
        let scan: [UInt8] = [0xFF, 0xDA, 0, 8, 1, 1, 0, 0, 0, 0x10, 0]
        var many = Array(bytes[..<second]) + (0..<60).flatMap { _ in scan } + bytes[second...]
        #expect(try failure { _ = try DecodedPixels(jpeg: many) } == .malformed)
        let size = try many.offset(ofMarker: 0xC2)
        many.replaceSubrange(size + 5..<size + 9, with: [0x27, 0x10, 0x27, 0x10])
        #expect(try failure { _ = try DecodedPixels(jpeg: many) } == .tooComplex)
    }

    @Test("the limit of scans counts what the file has")
    func scanLimit() throws {
        let bytes = try Fixture.bytes("jpeg/progressive.jpg")
        let enough = DecodeOptions(limits: DecodeLimits(maxScans: 10))
        #expect(try DecodedPixels(jpeg: bytes, options: enough).size == PixelSize(width: 203, height: 149))
        let fewer = DecodeOptions(limits: DecodeLimits(maxScans: 9))
        #expect(try failure { _ = try DecodedPixels(jpeg: bytes, options: fewer) } == .tooComplex)
    }

    @Test("a decode can be cancelled at every question", arguments: ["baseline", "progressive"])
    func cancellation(name: String) throws {
        let bytes = try Fixture.bytes("jpeg/\(name).jpg")
        func questions(stoppingAt last: Int) throws -> (Int, CodingError.Code?) {
            let asked = Counter()
            let options = DecodeOptions(shouldContinue: { asked.increment() < last })
            let code = try failure { _ = try DecodedPixels(jpeg: bytes, options: options) }
            return (asked.value, code)
        }
        let (all, code) = try questions(stoppingAt: .max)
        #expect(code == nil)
        // Three strips of 64 rows and the start; ten scans of ten rows of blocks more.
        #expect(name == "baseline" ? all == 4 : all > 100)
        for last in 1...all {
            let (asked, code) = try questions(stoppingAt: last)
            #expect(asked == last)
            #expect(code == .cancelled)
        }
    }
}

/// Must not be called.
private final class DeafSink: RowSink {
    func begin(_ header: RowHeader) throws { Issue.record("the sink was called") }
    func nextStrip() throws -> RowStrip { throw CodingError(.outOfMemory, "") }
    func commit(rows: Int) throws {}
}

private final class Counter: Sendable {
    private let count = Mutex(0)

    var value: Int { count.withLock { $0 } }

    func increment() -> Int {
        count.withLock { count in
            count += 1
            return count
        }
    }
}

private struct SplitMix {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = (state ^ (state >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
#endif
