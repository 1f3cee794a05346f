#if JPEG
import Pixels

/// What stands before a JPEG's first scan, read in place: no segment is copied, however many there are.
struct JPEGHeader {
    struct Component {
        /// The name by which scans speak of it.
        let identifier: UInt8
        /// How many samples it has across and down where another component may have more.
        let sampling: (horizontal: Int, vertical: Int)
    }

    private(set) var size = PixelSize(width: 0, height: 0)
    private(set) var applications = JPEGApplicationSegments()
    private(set) var components: [Component] = []
    /// Where the first scan's marker stands.
    private(set) var firstScan = 0
    private var frameMarker: UInt8 = 0
    private(set) var bitsPerSample = 0

    /// SOF2 and, with arithmetic coding, SOF10.
    var isProgressive: Bool { frameMarker == 0xC2 || frameMarker == 0xCA }

    /// - Throws: `empty`, `truncated`, `malformed`, or `unsupportedFeature` for a height that comes after the pixels.
    init(_ bytes: UnsafeRawBufferPointer) throws(CodingError) {
        guard !bytes.isEmpty else { throw CodingError(.empty, "There are no bytes.", format: .jpeg) }
        let signature: [UInt8] = [0xFF, JPEGMarker.startOfImage]
        guard bytes.prefix(2).elementsEqual(signature.prefix(bytes.count)) else {
            throw Self.malformed("it does not start as one")
        }
        var reader = JPEGMarkerReader(bytes, from: 2)
        while true {
            let segment: JPEGSegment
            switch reader.next() {
            case .segment(let found): segment = found
            case .broken: throw Self.malformed("a segment has an impossible length")
            case .end: throw CodingError(.truncated, "The JPEG ends within its header.", format: .jpeg)
            }
            switch segment.marker {
            case JPEGMarker.startOfScan:
                guard frameMarker != 0 else { throw Self.malformed("a scan comes before the picture's size") }
                firstScan = segment.start
                return
            case JPEGMarker.endOfImage:
                throw Self.malformed("it has no picture")
            case JPEGMarker.app1, JPEGMarker.app2:
                applications.add(segment, of: bytes)
            case let marker where JPEGMarker.isStartOfFrame(marker):
                guard frameMarker == 0 else { throw Self.malformed("it states its size twice") }
                try readFrame(bytes, segment)
            default:
                continue
            }
        }
    }

    /// - Throws: `unsupportedFeature`, naming what the library cannot decode.
    func checkSupport() throws(CodingError) {
        let feature: String? =
            switch frameMarker {
            case 0xC3, 0xCB: "lossless coding"
            case 0xC5, 0xC6, 0xC7, 0xCD, 0xCE, 0xCF: "hierarchical coding"
            default: bitsPerSample == 8 ? nil : "\(bitsPerSample) bits per sample"
            }
        guard let feature else { return }
        throw CodingError(.unsupportedFeature, "The JPEG uses \(feature), which is not supported.", format: .jpeg)
    }

    /// Precision, height, width and the components (ITU-T T.81 §B.2.2).
    private mutating func readFrame(_ bytes: UnsafeRawBufferPointer, _ segment: JPEGSegment) throws(CodingError) {
        let payload = UnsafeRawBufferPointer(rebasing: bytes[segment.payload])
        guard payload.count >= 6, let height = payload.bigEndianShort(at: 1),
            let width = payload.bigEndianShort(at: 3), payload.count >= 6 + 3 * Int(payload[5])
        else { throw Self.malformed("its frame header is too short") }
        guard width > 0, payload[5] > 0 else { throw Self.malformed("its frame header announces no pixels") }
        guard height > 0 else {
            throw CodingError(
                .unsupportedFeature, "The JPEG states its height after its pixels (DNL), which is not supported.",
                format: .jpeg)
        }
        frameMarker = segment.marker
        bitsPerSample = Int(payload[0])
        size = PixelSize(width: width, height: height)
        components = (0..<Int(payload[5])).map { index in
            let sampling = payload[7 + 3 * index]
            return Component(
                identifier: payload[6 + 3 * index],
                sampling: (horizontal: Int(sampling >> 4), vertical: Int(sampling & 15)))
        }
    }

    private static func malformed(_ reason: String) -> CodingError {
        CodingError(.malformed, "The bytes are no valid JPEG: \(reason).", format: .jpeg)
    }
}
#endif
