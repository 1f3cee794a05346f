import ImageCoding
import Pixels
import Testing

/// What could be seen of a picture while its bytes came.
struct Viewing {
    struct Look {
        let progress: PartialProgress
        /// The newest sink's rows so far.
        let rows: DecodedRows
        /// How many bytes had come.
        let count: Int
    }

    private(set) var looks: [Look] = []
    private(set) var failure: (any Error)?
    private(set) var sinks = 0
    /// How many rows all of the sinks got.
    private(set) var rowsMade = 0

    /// - Parameter step: how many bytes come at once.
    init(
        _ bytes: [UInt8], step: Int, minimumSize: PixelSize? = nil, color: ColorHandling = .sRGB,
        depth: DecodedDepth = .eightBits, limits: DecodeLimits = .default
    ) {
        var newest: CountingSink?
        var made: [CountingSink] = []
        var decoder: (any PartialDecoder)?
        let request = PartialRequest(
            limits: limits,
            optionsFor: { _ in DecodeOptions(minimumSize: minimumSize, color: color, depth: depth, limits: limits) },
            into: { _ in
                let sink = CountingSink()
                made.append(sink)
                newest = sink
                return sink
            })
        for count in Array(stride(from: step, to: bytes.count, by: step)) + [bytes.count] {
            // A copy elsewhere every time, that ends where the bytes do.
            withExactCopy(of: Array(bytes[..<count])) { part in
                decoder = decoder ?? CoderRegistry.standard.partialDecoder(for: part, request)
                guard failure == nil else { return }
                do {
                    guard let progress = try decoder?.update(part), let rows = newest?.snapshot()?.rows else { return }
                    looks.append(Look(progress: progress, rows: rows, count: count))
                } catch {
                    failure = error
                }
            }
        }
        sinks = made.count
        rowsMade = made.reduce(0) { $0 + $1.count }
    }
}

/// Collects rows, and counts them.
private final class CountingSink: RowSink {
    private let sink = BitmapSink()
    private(set) var count = 0

    func begin(_ header: RowHeader) throws { try sink.begin(header) }

    func nextStrip() throws -> RowStrip { try sink.nextStrip() }

    func commit(rows: Int) throws {
        count += rows
        try sink.commit(rows: rows)
    }

    func snapshot() -> Bitmap? { sink.snapshot() }
}

/// The mean square error of the rows that are there, against the same rows of the whole picture.
func error(of part: DecodedRows, against whole: DecodedRows) -> Double {
    let sum = zip(part.pixels, whole.pixels).reduce(into: 0) { sum, pair in
        let difference = Int(pair.0) - Int(pair.1)
        sum += difference * difference
    }
    return Double(sum) / Double(max(1, part.pixels.count))
}

extension Bitmap {
    /// A picture with detail all over it, so that bytes and rows go together.
    static func detailed(_ size: PixelSize) throws -> Bitmap {
        var state: UInt32 = 1
        let pixels = (0..<size.width * size.height).flatMap { index in
            state = state &* 1_664_525 &+ 1_013_904_223
            let (x, y, noise) = (index % size.width, index / size.width, Int(state >> 28) * 4)
            return [x * 180 / size.width + noise, y * 180 / size.height + noise, (x ^ y) & 63 + noise, 255].map(
                UInt8.init)
        }
        return try Bitmap(size, .rgbx8, pixels)
    }
}
