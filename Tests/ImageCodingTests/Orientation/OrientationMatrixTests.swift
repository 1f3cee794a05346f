#if JPEG && PNG && WebP && AVIF && HEIF && JPEGXL && TIFF && RAW
import ByteBuffers
import Pixels
import Testing

@testable import ImageCoding

/// One picture, stored in each of the eight ways by each format that has them; other programs wrote the files.
@Suite("Orientations")
struct OrientationMatrixTests {
    /// GIF, BMP, ICO, SVG and PDF have no place for an orientation.
    enum Kind: String, CaseIterable, CustomTestStringConvertible {
        case jpeg = "jpg"
        case png
        case webp
        case tiff
        case avif
        case heic
        case jxl
        case dng

        var testDescription: String { rawValue }

        /// By how much a byte may differ in the mean: what the format's loss, or another mosaic of the sensor, makes.
        var tolerance: Double {
            switch self {
            case .png, .webp, .tiff: 0
            case .jpeg, .avif: 2
            case .heic, .jxl: 4
            case .dng: 6
            }
        }

        /// libheif turns pictures itself.
        var isTurnedByLibrary: Bool { self == .heic }

        /// How the picture looks when it is upright. A sensor's colours are another program's to develop.
        func expected() throws -> DecodedRows {
            let isDeveloped = self == .dng
            let size = isDeveloped ? PixelSize(width: 48, height: 32) : PixelSize(width: 24, height: 16)
            let pixels = try Fixture.bytes(isDeveloped ? "orientation/developed.rgba" : "orientation/upright.rgba")
            return DecodedRows(size: size, format: .rgbx8, pixels: pixels)
        }

        func bytes(_ orientation: Orientation) throws -> Bytes {
            try Bytes(Fixture.bytes("orientation/\(orientation.rawValue).\(rawValue)"))
        }
    }

    @Test(
        "P24 C237: a picture stored in any of the eight ways is seen upright, in every format that has them",
        arguments: Kind.allCases, Orientation.allCases)
    func upright(kind: Kind, orientation: Orientation) throws {
        let bytes = try kind.bytes(orientation)
        let expected = try kind.expected()
        let rows = try CoderRegistry.standard.decode(bytes).rows
        #expect(rows.size == expected.size)
        let mean = difference(rows.pixels, expected.pixels).mean
        #expect(mean <= kind.tolerance, "\(mean)")
        // The picture is such that no other turn of it comes near.
        for other in Orientation.allCases where other != .up {
            let turned = try Bitmap(rows.size, .rgbx8, rows.pixels).oriented(by: other).rows
            guard turned.size == expected.size else { continue }
            #expect(difference(turned.pixels, expected.pixels).mean > 20, "\(other)")
        }
    }

    @Test(
        "P24: the header tells the orientation and the stored size; libheif turns pictures itself",
        arguments: Kind.allCases, Orientation.allCases)
    func told(kind: Kind, orientation: Orientation) throws {
        let info = try kind.bytes(orientation).withUnsafeBytes { try CoderRegistry.standard.info(of: $0) }
        let told = kind.isTurnedByLibrary ? .up : orientation
        #expect(info.orientation == told)
        #expect(info.storedSize == (try told.applied(to: kind.expected().size)))
        #expect(info.size == (try kind.expected().size))
    }

    @Test("P24: a smaller size is asked for and given as it is seen", arguments: Kind.allCases, Orientation.allCases)
    func smaller(kind: Kind, orientation: Orientation) throws {
        let full = try kind.expected().size
        let wanted = PixelSize(width: full.width / 2, height: full.height / 2)
        let bitmap = try CoderRegistry.standard.decode(kind.bytes(orientation), minimumSize: wanted)
        #expect(bitmap.width >= wanted.width && bitmap.height >= wanted.height)
        #expect(bitmap.width * full.height == bitmap.height * full.width)
        // The camera's preview is developed otherwise than its sensor's points: brightness differs, not what is where.
        let pixels = try bitmap.shrunk(to: PixelSize(width: 4, height: 3)).rows.pixels
        let sink = try Bitmap(full, .rgbx8, kind.expected().pixels).shrunk(to: PixelSize(width: 4, height: 3)).rows
            .pixels
        #expect(difference(pixels, sink).mean < (kind == .dng ? 60 : 12))
    }

    @Test("P24: the container's turn wins over EXIF's and XMP's", arguments: ["both.avif", "both.heic", "boxes.jxl"])
    func containerWins(file: String) throws {
        let bytes = try Bytes(Fixture.bytes("metadata/\(file)"))
        let (info, metadata) = try bytes.withUnsafeBytes {
            try (CoderRegistry.standard.info(of: $0), CoderRegistry.standard.metadata(of: $0))
        }
        // EXIF says a turn to the right; AVIF and HEIF one to the left, JPEG XL none.
        #expect(metadata.orientation == .right)
        #expect(info.orientation == (file == "both.avif" ? .left : .up))
        let isTurned = file != "boxes.jxl"
        #expect(info.size == (isTurned ? PixelSize(width: 12, height: 20) : PixelSize(width: 20, height: 12)))
        let rows = try CoderRegistry.standard.decode(bytes).rows
        let plain = try CoderRegistry.standard.decode(Bytes(Fixture.bytes("metadata/plain.png")), color: .keep)
        // Colours are left out of it: only where the picture is brightest counts.
        let shown = try plain.oriented(by: isTurned ? .left : .up).rows
        #expect(rows.size == shown.size)
        #expect(difference(rows.pixels, shown.pixels).mean < 30)
        #expect(difference(rows.pixels, try plain.oriented(by: isTurned ? .right : .down).rows.pixels).mean > 40)
    }
}
#endif
