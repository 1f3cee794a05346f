#if JPEG
import Pixels
import Testing

@testable import ImageCoding

struct ProgressiveScanPlanTests {
    private static func plan(_ bytes: [UInt8], _ scale: DCTScale) throws -> ProgressiveScanPlan {
        try bytes.withUnsafeBytes { bytes in
            try ProgressiveScanPlan(bytes, header: JPEGHeader(bytes), scale: scale, maxScans: 100)
        }
    }

    /// The scan headers' bands in what a plan keeps, `component:first-last`.
    private static func scans(_ bytes: [UInt8], _ plan: ProgressiveScanPlan) throws -> [String] {
        let kept = plan.parts.flatMap { Array(bytes[$0]) }
        return kept.withUnsafeBytes { kept in
            var reader = JPEGMarkerReader(kept, from: 2)
            var scans: [String] = []
            while case .segment(let segment) = reader.next() {
                guard segment.marker == JPEGMarker.startOfScan else { continue }
                let payload = Array(kept[segment.payload])
                let band = payload.suffix(3)
                let name = payload[0] == 1 ? "\(payload[1])" : "all"
                scans.append("\(name):\(band[band.startIndex])-\(band[band.startIndex + 1])")
                reader.skipEntropyCodedData()
            }
            return scans
        }
    }

    @Test("the usual order of scans is cut to what is seen")
    func usualOrder() throws {
        let bytes = try Fixture.bytes("jpeg/progressive.jpg")
        let eighth = try Self.plan(bytes, .eighth)
        #expect(eighth.scanCount == 10)
        #expect(eighth.isPartial)
        #expect(try Self.scans(bytes, eighth) == ["all:0-0", "3:1-63", "2:1-63", "all:0-0"])
        let quarter = try Self.plan(bytes, .quarter)
        #expect(
            try Self.scans(bytes, quarter) == [
                "all:0-0", "1:1-5", "3:1-63", "2:1-63", "all:0-0", "3:1-63", "2:1-63",
            ])
    }

    @Test("an order that refines luma first is cut as well")
    func lumaFirst() throws {
        let bytes = try Fixture.bytes("jpeg/luma-first.jpg")
        let quarter = try Self.plan(bytes, .quarter)
        #expect(quarter.scanCount == 13)
        let colours = ["2", "3"].flatMap { colour in ["1-8", "9-63", "1-63", "1-63"].map { "\(colour):\($0)" } }
        #expect(try Self.scans(bytes, quarter) == ["all:0-0", "1:1-8"] + colours)
        let eighth = try Self.plan(bytes, .eighth)
        #expect(try Self.scans(bytes, eighth) == ["all:0-0", "2:1-8", "3:1-8"])
    }

    @Test("half and full size need every scan", arguments: [DCTScale.half, .full])
    func everything(scale: DCTScale) throws {
        let bytes = try Fixture.bytes("jpeg/progressive.jpg")
        let plan = try Self.plan(bytes, scale)
        #expect(plan.parts == [0..<bytes.count])
        #expect(!plan.isPartial)
    }

    @Test("every table between the scans is kept", arguments: [DCTScale.eighth, .quarter])
    func tables(scale: DCTScale) throws {
        let bytes = try Fixture.bytes("jpeg/progressive.jpg")
        func tableCount(_ parts: [Range<Int>]) -> Int {
            let kept = parts.flatMap { Array(bytes[$0]) }
            return kept.withUnsafeBytes { kept in
                var reader = JPEGMarkerReader(kept, from: 2)
                var count = 0
                while case .segment(let segment) = reader.next() {
                    if segment.marker == 0xC4 { count += 1 }
                    if segment.marker == JPEGMarker.startOfScan { reader.skipEntropyCodedData() }
                }
                return count
            }
        }
        let all = tableCount([0..<bytes.count])
        #expect(all > 4)
        #expect(try tableCount(Self.plan(bytes, scale).parts) == all)
    }

    @Test("F2: a file without its end is not cut: the decoder has to see where it stops")
    func withoutEnd() throws {
        let bytes = try Array(Fixture.bytes("jpeg/progressive.jpg").dropLast(2))
        let plan = try Self.plan(bytes, .eighth)
        #expect(!plan.isPartial)
        #expect(plan.parts == [0..<bytes.count])
    }

    @Test("F8: more scans than allowed are refused, one at a time")
    func limit() throws {
        try Fixture.bytes("jpeg/progressive.jpg").withUnsafeBytes { bytes in
            let header = try JPEGHeader(bytes)
            for limit in 0...10 {
                let code = try failure {
                    _ = try ProgressiveScanPlan(bytes, header: header, scale: .full, maxScans: limit)
                }
                #expect(code == (limit < 10 ? .tooComplex : nil))
            }
        }
    }

    @Test(
        "a cut file looks like the whole one",
        arguments: ["progressive", "luma-first"], [(DCTScale.eighth, 34.5), (.quarter, 37.0)])
    func quality(name: String, _ expectation: (scale: DCTScale, decibels: Double)) throws {
        let size = expectation.scale.applied(to: PixelSize(width: 203, height: 149))
        let options = DecodeOptions(minimumSize: size)
        let cut = try DecodedPixels(jpeg: Fixture.bytes("jpeg/\(name).jpg"), options: options)
        // The same coefficients in one scan: its pixels are djpeg's, as JPEGPixelTests show.
        let whole = try DecodedPixels(jpeg: Fixture.bytes("jpeg/baseline.jpg"), options: options)
        #expect(cut.size == whole.size)
        let decibels = cut.difference(from: whole)
        #expect(decibels > expectation.decibels && decibels < .infinity, "\(decibels)")
    }
}
#endif
