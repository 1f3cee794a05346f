public import Pixels

/// A picture's colours in 6 to 166 characters, to be shown until the picture comes.
///
/// The text says how many waves the picture was taken apart into, and how strong each of them is, in base 83; by the
/// algorithm of Wolt's BlurHash. There is no transparency in it, and no shape: the application has to know the picture's size.
public struct BlurHash: Hashable, Sendable {
    /// The hash as it is sent.
    public let text: String
    /// How many waves there are across, 1 to 9.
    public let across: Int
    /// How many waves there are down, 1 to 9.
    public let down: Int
    /// The strengths of red, green and blue, row by row, in linear light. The first is the mean.
    private let waves: [SIMD3<Float>]

    /// Reads a hash.
    ///
    /// - Throws: ``ProcessingError`` with the code `invalidHash` when the text is none: too short or too long for its waves, a
    ///   character that is not in the alphabet, or a number that is none of a wave's.
    public init(_ text: String) throws(ProcessingError) {
        let digits = try Base83.digits(of: text)
        guard digits.count >= 6 else {
            throw .invalidHash("A BlurHash has at least 6 characters; this has \(digits.count).")
        }
        across = digits[0] % 9 + 1
        down = digits[0] / 9 + 1
        let length = 4 + 2 * across * down
        guard down <= 9, digits.count == length else {
            throw .invalidHash(
                "A BlurHash of \(across) × \(down) waves has \(length) characters; this has \(digits.count).")
        }
        let mean = Base83.value(digits[2..<6])
        guard mean <= 0xFF_FFFF else { throw .invalidHash("The mean colour of the BlurHash is none.") }
        let bytes = SIMD3(Float(mean >> 16), Float(mean >> 8 & 255), Float(mean & 255))
        var waves = [SRGB.linear(bytes / 255)]
        let strongest = Float(digits[1] + 1) / 166
        for start in stride(from: 6, to: length, by: 2) {
            let value = Base83.value(digits[start..<start + 2])
            guard value < 19 * 19 * 19 else { throw .invalidHash("A wave of the BlurHash has no strength.") }
            let steps = SIMD3(Float(value / 361), Float(value / 19 % 19), Float(value % 19)) / 9 - 1
            waves.append(steps * SIMD3(abs(steps.x), abs(steps.y), abs(steps.z)) * strongest)
        }
        self.text = text
        self.waves = waves
    }

    /// Makes the hash of a picture.
    ///
    /// A picture with a side over 128 is made smaller first.
    ///
    /// - Parameters:
    ///   - across: how many waves, 1 to 9. Four and three suit most pictures that are wider than high.
    ///   - down: how many waves, 1 to 9.
    ///   - background: what is seen through transparent parts.
    /// - Throws: ``ProcessingError`` when a number of waves is wrong or there is no memory.
    public init(of bitmap: Bitmap, across: Int = 4, down: Int = 3, background: PixelColor = .white) throws {
        try ProcessingError.check(Double(across), "number of waves across", in: 1...9)
        try ProcessingError.check(Double(down), "number of waves down", in: 1...9)
        let flat = try bitmap.resized(to: TargetSize(width: 128, height: 128), filter: .box).flattened(on: background)
        var waves = [SIMD3<Float>](repeating: .zero, count: across * down)
        let columns = Wave.table(count: across, length: flat.width, phase: 0)
        let rows = Wave.table(count: down, length: flat.height, phase: 0)
        try flat.readRows { y, row in
            var line = [SIMD3<Float>](repeating: .zero, count: across)
            for x in 0..<flat.width {
                let color = SRGB.linear(SIMD3(row[x].x, row[x].y, row[x].z))
                for wave in 0..<across { line[wave] += color * columns[wave][x] }
            }
            for (index, _) in waves.enumerated() { waves[index] += line[index % across] * rows[index / across][y] }
        }
        let count = Float(flat.width * flat.height)
        for index in waves.indices { waves[index] *= (index == 0 ? 1 : 2) / count }
        try self.init(Self.text(waves, across: across, down: down))
    }

    /// The picture's mean colour, in linear light.
    public var averageColor: PixelColor { PixelColor(Pixel(SRGB.encoded(waves[0]), 1)) }

    /// The hash as a picture.
    ///
    /// - Parameters:
    ///   - size: of any shape; the picture's own looks best. 32 pixels to a side are enough, larger ones are only smoother.
    ///   - punch: the waves' strength times this; above 1 the contrast is stronger. 0 to 100, default 1.
    /// - Returns: a picture in ``PixelFormat/rgbx8``.
    /// - Throws: ``ProcessingError`` when the size makes none, or there is no memory.
    public func bitmap(size: PixelSize, punch: Double = 1) throws -> Bitmap {
        try ProcessingError.check(punch, "punch", in: 0...100)
        try size.checkedAsResult()
        let columns = Wave.table(count: across, length: size.width, phase: 0)
        let rows = Wave.table(count: down, length: size.height, phase: 0)
        let strength = Float(punch)
        var result = try Bitmap.room(size, .rgbx8)
        try result.makeRows { y, row in
            var line = [SIMD3<Float>](repeating: .zero, count: across)
            for (index, wave) in waves.enumerated() {
                line[index % across] += wave * (index == 0 ? 1 : strength) * rows[index / across][y]
            }
            for x in 0..<size.width {
                var color = SIMD3<Float>.zero
                for wave in 0..<across { color += line[wave] * columns[wave][x] }
                row[x] = Pixel(SRGB.encoded(color), 1)
            }
        }
        return result
    }

    private static func text(_ waves: [SIMD3<Float>], across: Int, down: Int) -> String {
        var digits = [across - 1 + (down - 1) * 9]
        let strongest = waves.dropFirst().map { max($0.max(), -$0.min()) }.max() ?? 0
        let step = waves.count > 1 ? min(max(Int((strongest * 166 - 0.5).rounded(.down)), 0), 82) : 0
        digits.append(step)
        let mean = PixelColor(Pixel(SRGB.encoded(waves[0]), 1))
        digits += Base83.digits(Int(mean.red) << 16 | Int(mean.green) << 8 | Int(mean.blue), count: 4)
        for wave in waves.dropFirst() {
            let parts = (0..<3).map { channel in
                let part = wave[channel] * 166 / Float(step + 1)
                let root = (part < 0 ? -1 : 1) * abs(part).squareRoot()
                return min(max(Int((root * 9 + 9.5).rounded(.down)), 0), 18)
            }
            digits += Base83.digits(parts[0] * 361 + parts[1] * 19 + parts[2], count: 2)
        }
        return Base83.text(digits)
    }
}

extension BlurHash: CustomStringConvertible {
    public var description: String { text }
}

extension ProcessingError {
    static func invalidHash(_ message: String) -> ProcessingError { ProcessingError(.invalidHash, message) }
}
