import ByteBuffers
import ImageCoding
import Pixels
import Testing

/// A document of the fixtures whose pages differ in size, and what other programs make of each, laid out on the first.
struct PagedDocument: Sendable, CustomTestStringConvertible {
    let file: String
    let size: PixelSize
    let count: Int
    /// Of a channel: other programs round means of pixels another way.
    var tolerance = 1

    var testDescription: String { file }

    func bytes() throws -> Bytes { Bytes(try Fixture.bytes(file)) }

    func open(_ options: AnimationOptions = AnimationOptions()) throws -> AnimatedImage {
        try CoderRegistry.standard.animation(of: bytes(), options: options)
    }

    /// The rows of each page.
    func expected() throws -> [[UInt8]] {
        let stem = try #require(file.split(separator: ".").first)
        let all = try Fixture.bytes("\(stem).rgba")
        let page = size.width * size.height * 4
        #expect(all.count == page * count)
        return (0..<count).map { Array(all[$0 * page..<($0 + 1) * page]) }
    }

    static let all: [PagedDocument] = {
        var all: [PagedDocument] = []
        #if TIFF
        all.append(PagedDocument(file: "tiff/mixed-pages.tiff", size: PixelSize(width: 48, height: 32), count: 3))
        #endif
        #if PDF
        all.append(PagedDocument(file: "pdf/sizes.pdf", size: PixelSize(width: 40, height: 30), count: 3))
        #endif
        #if HEIF
        all.append(PagedDocument(file: "heif/several.heic", size: PixelSize(width: 48, height: 32), count: 4))
        #endif
        return all
    }()
}

@Suite("Pages as frames")
struct PageTests {
    @Test(
        "each page lies on the first one's canvas as other programs show it, in any order",
        arguments: PagedDocument.all)
    func pages(document: PagedDocument) throws {
        let animation = try document.open(AnimationOptions(keptBytes: 0))
        let expected = try document.expected()
        try #require(animation.frameCount == document.count && animation.size == document.size)
        for index in [0, 1, 2, document.count - 1, 0, 1] {
            let page = try animation.frame(at: index)
            let distance = MovingPicture.distance(page.rows.pixels, expected[index])
            #expect(distance <= document.tolerance, "page \(index)")
        }
        #expect(animation.decodedFrameCount <= 6, "no page needs another")
        #expect(animation.header.isComplete)
    }

    @Test("pages are nothing to play", arguments: PagedDocument.all)
    func kind(document: PagedDocument) throws {
        let animation = try document.open()
        #expect(animation.header.isPaged && !animation.isMoving)
        let info = try document.bytes().withUnsafeBytes { try CoderRegistry.standard.info(of: $0) }
        #expect(info.frameCount == document.count && info.size == document.size)
        let moving = try #require(MovingPicture.all.first).open()
        #expect(!moving.header.isPaged && moving.isMoving)
    }

    @Test("the picture of a document is its first page", arguments: PagedDocument.all)
    func still(document: PagedDocument) throws {
        let still = try CoderRegistry.standard.decode(document.bytes())
        let first = try document.open(AnimationOptions(isFirstFrameOnly: true))
        #expect(first.frameCount == 1 && first.isOpaque)
        #expect(try first.frame(at: 0).rows == still.rows)
    }

    @Test("F12: more pages, or larger ones, than allowed are refused", arguments: PagedDocument.all)
    func limits(document: PagedDocument) throws {
        let pixels = document.size.width * document.size.height
        for (limits, code) in [
            (DecodeLimits(maxFrames: document.count - 1), CodingError.Code.tooManyFrames),
            (DecodeLimits(maxTotalPixels: pixels * document.count - 1), .tooManyPixels),
            (DecodeLimits(maxPixels: pixels - 1), .tooManyPixels),
            (DecodeLimits(maxSide: document.size.width - 1), .sideTooLong),
            (DecodeLimits(maxInputBytes: 100), .tooManyBytes),
        ] {
            let error = #expect(throws: CodingError.self) {
                try document.open(AnimationOptions(limits: limits)).frame(at: 0)
            }
            #expect(error?.code == code)
        }
        let one = AnimationOptions(isFirstFrameOnly: true, limits: DecodeLimits(maxFrames: 1))
        #expect(try document.open(one).frameCount == 1)
    }

    @Test("F2: a document cut at each 1/32 gives the pages that are whole", arguments: PagedDocument.all)
    func truncation(document: PagedDocument) throws {
        let bytes = try document.bytes().array
        for part in 0..<32 { check(Array(bytes[..<(bytes.count * part / 32)]), "\(part)/32") }
    }

    @Test("F3: a flipped byte gives pages or typed errors", arguments: PagedDocument.all)
    func flips(document: PagedDocument) throws {
        let bytes = try document.bytes().array
        for position in 0..<min(bytes.count, 1_024) {
            var damaged = bytes
            damaged[position] ^= position % 2 == 0 ? 0xFF : 1 << UInt8(position / 2 % 8)
            check(damaged, "at \(position)")
        }
    }

    /// All pages come at the canvas's size or as typed errors.
    private func check(_ bytes: [UInt8], _ comment: Comment) {
        let limits = DecodeLimits(maxPixels: 1 << 16, maxFrames: 64, maxTotalPixels: 1 << 18)
        do throws(CodingError) {
            let animation = try CoderRegistry.standard.animation(
                of: Bytes(bytes), options: AnimationOptions(limits: limits))
            #expect(animation.frameCount <= limits.maxFrames)
            for index in 0..<animation.frameCount {
                do throws(CodingError) {
                    let page = try animation.frame(at: index)
                    #expect(page.size == animation.size, comment)
                } catch {
                    #expect(!error.message.isEmpty)
                }
            }
        } catch {
            #expect(!error.message.isEmpty)
        }
    }

    #if TIFF
    @Test("P24: pages of one size and orientation are turned as the still picture is", arguments: 1...8)
    func orientation(value: Int) throws {
        let bytes = Bytes(try Fixture.bytes("orientation/\(value).tiff"))
        let still = try CoderRegistry.standard.decode(bytes)
        #expect(try CoderRegistry.standard.animation(of: bytes).frame(at: 0).rows == still.rows)
    }

    @Test("F12: pages that follow each other in a circle end")
    func circle() throws {
        var bytes = try Fixture.bytes("tiff/pages.tiff")
        // Each directory (TIFF 6.0 §2): a count, so many entries of 12 bytes, and where the next one is.
        func number(_ offset: Int, _ count: Int) -> Int {
            (0..<count).reduce(0) { $0 | Int(bytes[offset + $1]) << ($1 * 8) }
        }
        let first = number(4, 4)
        var last = first
        for _ in 0..<2 { last = number(last + 2 + number(last, 2) * 12, 4) }
        let link = last + 2 + number(last, 2) * 12
        for byte in 0..<4 { bytes[link + byte] = UInt8(first >> (byte * 8) & 0xFF) }
        let animation = try CoderRegistry.standard.animation(of: Bytes(bytes))
        #expect(animation.frameCount == 3 && !animation.header.isComplete)
    }
    #endif

    #if PDF
    @Test("C215: pages are drawn at the size that is wanted, to one scale")
    func scaled() throws {
        let large = PagedDocument(file: "pdf/sizes-80.pdf", size: PixelSize(width: 80, height: 60), count: 3)
        let bytes = Bytes(try Fixture.bytes("pdf/sizes.pdf"))
        let thumbnail = AnimationOptions.Thumbnail(size: large.size) { page in
            #expect(page.size == large.size, "there is nothing left to resize")
            return page
        }
        let animation = try CoderRegistry.standard.animation(
            of: bytes, options: AnimationOptions(thumbnail: thumbnail))
        let expected = try large.expected()
        for index in expected.indices {
            let page = try animation.frame(at: index).rows.pixels
            #expect(MovingPicture.distance(page, expected[index]) <= 1, "page \(index)")
        }
    }

    @Test("F12: a document that claims millions of pages is a typed error, or has as many as there are")
    func claimed() throws {
        var bytes = try Fixture.bytes("pdf/sizes.pdf")
        let count = try #require(bytes.firstRange(of: Array("/Count 3".utf8)))
        bytes.replaceSubrange(count, with: Array("/Count 999999999".utf8))
        let animation = try? CoderRegistry.standard.animation(of: Bytes(bytes))
        #expect(animation.map { $0.frameCount <= 3 } ?? true)
    }
    #endif
}
