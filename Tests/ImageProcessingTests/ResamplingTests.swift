import Pixels
import Testing

@testable import ImageProcessing

@Suite struct ResamplingTests {
    @Test(
        "C230: Direct filters give Pillow's pixels", arguments: ["box", "triangle", "lanczos3"], PixelKernels.allCases)
    func pillow(name: String, kernels: PixelKernels) throws {
        let filter: ResampleFilter = name == "box" ? .box : name == "triangle" ? .triangle : .lanczos3
        let source = try Bitmap.golden("source")
        for target in ["40x30", "31x61", "97x17", "150x100", "9x7", "1x1"] {
            let wanted = try Bitmap.golden("\(name)-\(target)")
            let made = try source.resized(
                scaledTo: wanted.size, crop: nil, filter: filter, gap: nil, kernels: kernels)
            #expect(distance(made, wanted).most <= 1, "\(name) \(target)")
        }
    }

    @Test("P8: averaging first stays within 2/255 of Pillow's full filter")
    func averaging() throws {
        let source = try Bitmap.golden("source")
        let wanted = try Bitmap.golden("lanczos3-9x7")
        let made = try source.resized(scaledTo: wanted.size)
        #expect(
            try ResamplingPlan(
                source: source.size, format: .rgba8, scaled: wanted.size, crop: nil, filter: .lanczos3,
                gap: ResamplingPlan.defaultGap
            ).factor.x > 1)
        #expect(distance(made, wanted).mean <= 2)
    }

    static let sizes = [(1, 1), (7, 13), (97, 61), (1, 40), (40, 1), (128, 64)]
    static let results = [(1, 1), (5, 3), (31, 29), (64, 32), (100, 100), (1, 9), (9, 1)]

    @Test(
        "P39: a flat picture stays flat, whatever the sizes",
        arguments: [ResampleFilter.box, .triangle, .mitchell, .lanczos3], PixelKernels.allCases)
    func flat(filter: ResampleFilter, kernels: PixelKernels) throws {
        for (width, height) in Self.sizes {
            let source = try Bitmap(width, height) { _, _ in (3, 100, 199, 200) }
            for (w, h) in Self.results {
                for gap in [nil, 3.0] {
                    let made = try source.resized(
                        scaledTo: PixelSize(width: w, height: h), crop: nil, filter: filter, gap: gap,
                        kernels: kernels)
                    #expect(made.pixels == (0..<w * h).flatMap { _ in [3, 100, 199, 200] as [UInt8] })
                }
            }
        }
    }

    @Test("P39: native and Swift kernels agree, opaque stays opaque, colour stays below alpha")
    func agreement() throws {
        for (width, height) in Self.sizes {
            for opaque in [true, false] {
                let source = try Bitmap.noise(width, height, opaque: opaque)
                for (w, h) in Self.results {
                    let size = PixelSize(width: w, height: h)
                    let made = PixelKernels.allCases.map { kernels in
                        Result {
                            try source.resized(scaledTo: size, crop: nil, filter: .lanczos3, gap: 3, kernels: kernels)
                        }
                    }
                    let (native, swift) = (try made[0].get(), try made[1].get())
                    #expect(distance(native, swift).most <= 1)
                    let pixels = native.pixels
                    for at in stride(from: 0, to: pixels.count, by: 4) {
                        if opaque { #expect(pixels[at + 3] == 255) }
                        #expect(max(pixels[at], pixels[at + 1], pixels[at + 2]) <= pixels[at + 3])
                    }
                }
            }
        }
    }

    @Test("P39: the portions in which rows come don't matter", arguments: [1, 3, 16, 1000])
    func portions(rows: Int) throws {
        let source = try Bitmap.noise(61, 97)
        for (w, h) in [(61, 97), (30, 48), (5, 7), (9, 97), (61, 2), (120, 200)] {
            let size = PixelSize(width: w, height: h)
            for crop in [
                nil, PixelRect(x: w / 2, y: h / 2, width: 1, height: 1),
                PixelRect(x: 1, y: 1, width: w - 1, height: h - 1),
            ] {
                let whole = try source.resized(scaledTo: size, crop: crop)
                let sink = ResamplingSink(scaledTo: size, crop: crop)
                let made = try #require(try feed(source, to: sink, rowsAtOnce: rows))
                #expect(made.pixels == whole.pixels)
                #expect(sink.takeBitmap() == nil)
            }
        }
    }

    @Test("P39: a crop is the same part of the whole result", arguments: [nil, 3.0])
    func crops(gap: Double?) throws {
        let source = try Bitmap.noise(97, 61)
        for (w, h) in [(97, 61), (50, 30), (9, 7), (150, 80)] {
            let size = PixelSize(width: w, height: h)
            let whole = try source.resized(scaledTo: size, crop: nil, filter: .lanczos3, gap: gap, kernels: .native)
            for rect in [
                PixelRect(x: 0, y: 0, width: 2, height: h), PixelRect(x: w - 2, y: 0, width: 2, height: h),
                PixelRect(x: 0, y: 0, width: w, height: 2), PixelRect(x: 0, y: h - 2, width: w, height: 2),
                PixelRect(x: 3, y: 2, width: 4, height: 3),
            ] {
                let part = try source.resized(
                    scaledTo: size, crop: rect, filter: .lanczos3, gap: gap, kernels: .native)
                #expect(part.pixels == (try whole.cropped(to: rect)).pixels)
            }
        }
    }

    @Test("P39: a strip that grows in height takes no more memory than its result, and gives the same pixels")
    func strip() throws {
        let long = try Bitmap.noise(6_000, 1)
        let plan = try ResamplingPlan(
            source: long.size, format: .rgba8, scaled: PixelSize(width: 1_100, height: 1_000), crop: nil,
            filter: .lanczos3, gap: ResamplingPlan.defaultGap)
        #expect(RowResampler.byteCount(columns: try plan.columns(), rows: try plan.rows()) > 80 << 20)
        #expect(TallResampler.byteCount(columns: try plan.columns(), rows: try plan.rows()) == 1_100 * 16)
        #expect(try plan.rowFilter(.rgba8, kernels: .native) is TallResampler)
        let made = try long.resized(scaledTo: plan.scaled)
        #expect(made.pixels.prefix(4_400) == made.pixels.suffix(4_400) && Set(made.pixels.prefix(4_400)).count > 50)

        let deep = try Bitmap.drawn(61, 7, .rgba16) { x, y in SIMD4(Float(x) / 61, Float(y) / 7, 0.5, 1) }
        for source in try [.noise(97, 2), .noise(61, 7, opaque: true), .noise(5, 3), .noise(128, 1), deep] {
            for (w, h) in [(31, 64), (200, 100), (5, 9), (1, 40)] {
                for crop in [nil, PixelRect(x: w / 3, y: h / 3, width: max(1, w / 2), height: h / 2)] {
                    for kernels in PixelKernels.allCases { try compare(source, w, h, crop, kernels) }
                }
            }
        }
    }

    /// Fills a result by the one filter, in two portions, and by the other.
    private func compare(
        _ source: Bitmap, _ width: Int, _ height: Int, _ crop: PixelRect?, _ kernels: PixelKernels
    ) throws {
        let plan = try ResamplingPlan(
            source: source.size, format: source.format, scaled: PixelSize(width: width, height: height), crop: crop,
            filter: .lanczos3, gap: nil)
        let tall = try TallResampler(
            columns: plan.columns(), rows: plan.rows(), format: source.format, kernels: kernels)
        var made = try Bitmap(uninitialized: plan.crop.size, format: source.format)
        let stride = made.bytesPerRow
        try made.withUnsafeMutableBytes { made in
            try source.withUnsafeBytes { bytes in
                let output = try #require(made.baseAddress).assumingMemoryBound(to: UInt8.self)
                let input = try #require(bytes.baseAddress).assumingMemoryBound(to: UInt8.self)
                let first = source.height / 2
                tall.take(
                    input, bytesPerRow: source.bytesPerRow, rowCount: first, output: output, outputBytesPerRow: stride)
                tall.take(
                    input + first * source.bytesPerRow, bytesPerRow: source.bytesPerRow,
                    rowCount: source.height - first, output: output, outputBytesPerRow: stride)
            }
        }
        #expect(tall.finishedRows == plan.crop.height)
        let wanted = try source.resized(
            scaledTo: plan.scaled, crop: crop, filter: .lanczos3, gap: nil, kernels: kernels)
        if source.format == .rgba16 {
            #expect(zip(made.levels, wanted.levels).allSatisfy { abs($0 - $1) <= 2 })
        } else {
            #expect(distance(made, wanted).most <= 1)
        }
    }

    @Test("P39: a huge ratio")
    func hugeRatio() throws {
        let source = try Bitmap(1, 60_000) { _, y in (UInt8(y / 6_000 * 20), 7, 9, 255) }
        for filter in [ResampleFilter.box, .triangle, .lanczos3] {
            let made = try source.resized(scaledTo: PixelSize(width: 1, height: 10), filter: filter)
            #expect(made.pixels[1] == 7 && made.pixels[3] == 255)
            #expect(abs(Int(made.pixels[20]) - 100) <= 12)
        }
    }

    @Test("Nothing scaled passes the same bytes, and the same bitmap when nothing is cut")
    func identity() throws {
        let source = try Bitmap.noise(33, 17)
        let sink = ResamplingSink(scaledTo: source.size)
        #expect(try feed(source, to: sink, rowsAtOnce: 5)?.pixels == source.pixels)
        let rect = PixelRect(x: 4, y: 3, width: 20, height: 9)
        let cut = try #require(try feed(source, to: ResamplingSink(scaledTo: source.size, crop: rect), rowsAtOnce: 4))
        #expect(cut.pixels == (try source.cropped(to: rect)).pixels)
        let same = try source.resized(to: TargetSize(width: 100))
        #expect(same.withUnsafeBytes { $0.baseAddress } == source.withUnsafeBytes { $0.baseAddress })
    }

    @Test("P39: wrong sizes and crops are errors")
    func errors() throws {
        let size = PixelSize(width: 10, height: 10)
        func code(_ scaled: PixelSize, _ crop: PixelRect?, _ header: RowHeader) -> ProcessingError.Code? {
            do {
                try ResamplingSink(scaledTo: scaled, crop: crop).begin(header)
                return nil
            } catch { return (error as? ProcessingError)?.code }
        }
        let good = RowHeader(size: size, format: .rgba8)
        #expect(code(PixelSize(width: 0, height: 5), nil, good) == .invalidSize)
        #expect(code(PixelSize(width: .max, height: 5), nil, good) == .invalidSize)
        #expect(code(size, nil, RowHeader(size: PixelSize(width: -1, height: 3), format: .rgba8)) == .invalidSize)
        #expect(code(size, PixelRect(x: 5, y: 5, width: 6, height: 1), good) == .invalidCrop)
        #expect(code(size, PixelRect(x: 5, y: 5, width: 0, height: 1), good) == .invalidCrop)
        #expect(code(size, PixelRect(x: .max, y: 5, width: 2, height: 1), good) == .invalidCrop)
        #expect(throws: ProcessingError.self) {
            try Bitmap.noise(4, 4).cropped(to: PixelRect(x: 4, y: 0, width: 2, height: 2))
        }
        #expect(throws: ProcessingError.self) { try Bitmap.noise(4, 4).resized(to: TargetSize(width: 0)) }
    }

    @Test("Blocks of millions of pixels average to what they are", arguments: PixelKernels.allCases)
    func largeBlocks(kernels: PixelKernels) throws {
        // 4,032 x 3,024 in one block would come out as 256.
        for (width, height) in [(4_032, 3_024), (2_048, 2_048)] {
            let source = try Bitmap(width, height, format: .rgbx8) { _, _ in (255, 200, 3, 255) }
            let made = try source.resized(
                scaledTo: PixelSize(width: 1, height: 1), crop: nil, filter: .box, gap: ResamplingPlan.defaultGap,
                kernels: kernels)
            #expect(made.pixels == [255, 200, 3, 255])
        }
    }
}
