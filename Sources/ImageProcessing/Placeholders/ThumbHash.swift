public import Pixels

/// A picture's colours, transparency and shape in 17 to 25 bytes, to be shown until the picture comes.
///
/// By the algorithm of Evan Wallace's ThumbHash. Unlike ``BlurHash`` it knows the picture's shape, roughly, and whether it
/// is transparent.
public struct ThumbHash: Hashable, Sendable {
    /// The hash as it is stored.
    public let bytes: [UInt8]
    /// Width over height, roughly: a hash has no more than seven steps for it.
    public let aspectRatio: Double
    /// The picture has transparent parts.
    public let hasAlpha: Bool

    /// Brightness, and the differences of yellow to blue and of red to green.
    private let brightness: ThumbHashChannel
    private let yellow: ThumbHashChannel
    private let red: ThumbHashChannel
    private let alpha: ThumbHashChannel?

    /// Reads a hash.
    ///
    /// - Throws: ``ProcessingError`` with the code `invalidHash` when there are too few or too many bytes for what the first
    ///   ones announce, or the shape is none.
    public init(bytes: [UInt8]) throws(ProcessingError) {
        guard bytes.count >= 5 else { throw .invalidHash("A ThumbHash has at least 5 bytes; this has \(bytes.count).") }
        let colors = Int(bytes[0]) | Int(bytes[1]) << 8 | Int(bytes[2]) << 16
        let shape = Int(bytes[3]) | Int(bytes[4]) << 8
        hasAlpha = colors >> 23 != 0
        let isLandscape = shape >> 15 != 0
        let (longer, shorter) = (hasAlpha ? 5 : 7, shape & 7)
        guard (1...longer).contains(shorter) else { throw .invalidHash("The ThumbHash has no shape.") }
        let (across, down) = isLandscape ? (longer, shorter) : (shorter, longer)
        aspectRatio = Double(across) / Double(down)

        var reader = NibbleReader(bytes: bytes, start: hasAlpha ? 6 : 5)
        brightness = ThumbHashChannel(
            across: max(3, across), down: max(3, down), mean: Float(colors & 63) / 63,
            scale: Float(colors >> 18 & 31) / 31, &reader)
        // Colours are made a little stronger, for what rounding takes away.
        yellow = ThumbHashChannel(
            across: 3, down: 3, mean: Float(colors >> 6 & 63) / 31.5 - 1, scale: Float(shape >> 3 & 63) / 63 * 1.25,
            &reader)
        red = ThumbHashChannel(
            across: 3, down: 3, mean: Float(colors >> 12 & 63) / 31.5 - 1, scale: Float(shape >> 9 & 63) / 63 * 1.25,
            &reader)
        if hasAlpha {
            let byte = bytes.count > 5 ? bytes[5] : 0
            alpha = ThumbHashChannel(
                across: 5, down: 5, mean: Float(byte & 15) / 15, scale: Float(byte >> 4) / 15, &reader)
        } else {
            alpha = nil
        }
        guard bytes.count == reader.byteCount else {
            throw .invalidHash("This ThumbHash would have \(reader.byteCount) bytes; there are \(bytes.count).")
        }
        self.bytes = bytes
    }

    /// Reads a hash as Base64 (RFC 4648 §4), with or without padding.
    ///
    /// - Throws: ``ProcessingError`` with the code `invalidHash`.
    public init(base64: String) throws(ProcessingError) {
        guard let bytes = Base64.bytes(of: base64) else { throw .invalidHash("The ThumbHash's text is not Base64.") }
        try self.init(bytes: bytes)
    }

    /// Makes the hash of a picture. One with a side over 100 is made smaller first.
    ///
    /// - Throws: ``ProcessingError`` when there is no memory.
    public init(of bitmap: Bitmap) throws {
        try self.init(bytes: ThumbHashEncoder(bitmap).bytes)
    }

    /// The hash as Base64, padded.
    public var base64: String { Base64.text(of: bytes) }

    /// The picture's mean colour.
    public var averageColor: PixelColor {
        PixelColor(Self.pixel(brightness.mean, yellow.mean, red.mean, alpha?.mean ?? 1))
    }

    /// The hash as a picture of its own shape.
    ///
    /// - Parameter longestSide: default 32; larger ones are only smoother.
    /// - Returns: a picture in ``PixelFormat/rgba8``, or in ``PixelFormat/rgbx8`` without transparency.
    /// - Throws: ``ProcessingError`` when the size makes none, or there is no memory.
    public func bitmap(longestSide: Int = 32) throws -> Bitmap {
        try ProcessingError.check(Double(longestSide), "longest side", in: 1...Double(TargetSize.maximumSide))
        let length = Double(longestSide)
        let size = PixelSize(
            width: max(1, Int((aspectRatio > 1 ? length : length * aspectRatio).rounded())),
            height: max(1, Int((aspectRatio > 1 ? length / aspectRatio : length).rounded())))
        try size.checkedAsResult()
        let columns = Wave.table(count: 7, length: size.width, phase: 0.5)
        let rows = Wave.table(count: 7, length: size.height, phase: 0.5)
        var result = try Bitmap.room(size, hasAlpha ? .rgba8 : .rgbx8)
        try result.makeRows { y, row in
            let channels = [brightness, yellow, red, alpha].map { $0?.line(y, rows) }
            for x in 0..<size.width {
                func level(_ index: Int) -> Float? {
                    channels[index].map { line in line.indices.reduce(0) { $0 + line[$1] * columns[$1][x] } }
                }
                row[x] = Self.pixel(level(0) ?? 0, level(1) ?? 0, level(2) ?? 0, level(3) ?? 1)
            }
        }
        return result
    }

    private static func pixel(_ brightness: Float, _ yellow: Float, _ red: Float, _ alpha: Float) -> Pixel {
        let blue = brightness - 2 * yellow / 3
        let reddish = (3 * brightness - blue + red) / 2
        let straight = Pixel(reddish, reddish - red, blue, 1).clamped(lowerBound: .zero, upperBound: .one)
        return straight * min(max(alpha, 0), 1)
    }
}

extension ThumbHash: CustomStringConvertible {
    /// As ``base64``.
    public var description: String { base64 }
}

/// The waves of one channel: those whose numbers across and down lie in a triangle.
struct ThumbHashChannel: Hashable, Sendable {
    let mean: Float
    private let across: Int
    private let down: Int
    private var strengths: [Float] = []

    fileprivate init(across: Int, down: Int, mean: Float, scale: Float, _ reader: inout NibbleReader) {
        self.across = across
        self.down = down
        self.mean = mean
        strengths = Self.waves(across: across, down: down).dropFirst().map { _ in
            (Float(reader.next()) / 7.5 - 1) * scale
        }
    }

    /// The waves in the order of the hash; the first is the mean.
    static func waves(across: Int, down: Int) -> [(x: Int, y: Int)] {
        (0..<down).flatMap { y in (0..<across).filter { $0 * down < across * (down - y) }.map { ($0, y) } }
    }

    /// What each wave across counts in a row.
    func line(_ y: Int, _ rows: [[Float]]) -> [Float] {
        var line = [Float](repeating: 0, count: across)
        line[0] = mean
        for (wave, strength) in zip(Self.waves(across: across, down: down).dropFirst(), strengths) {
            line[wave.x] += strength * rows[wave.y][y] * 2
        }
        return line
    }
}

/// Takes half a byte after the other, the lower one first. Beyond the end all are zero.
private struct NibbleReader {
    let bytes: [UInt8]
    let start: Int
    private var count = 0

    init(bytes: [UInt8], start: Int) {
        self.bytes = bytes
        self.start = start
    }

    mutating func next() -> UInt8 {
        let index = start + count / 2
        defer { count += 1 }
        guard index < bytes.count else { return 0 }
        return count % 2 == 0 ? bytes[index] & 15 : bytes[index] >> 4
    }

    /// How many bytes a hash has that ends where the last half byte was taken.
    var byteCount: Int { start + (count + 1) / 2 }
}
