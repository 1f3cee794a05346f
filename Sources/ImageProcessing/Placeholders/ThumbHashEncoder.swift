import Pixels

/// Takes a picture apart into the waves of a ``ThumbHash``.
struct ThumbHashEncoder {
    /// The largest side that is looked at.
    private static let longestSide = 100

    private(set) var bytes: [UInt8] = []

    init(_ bitmap: Bitmap) throws {
        let side = Self.longestSide
        let small = try bitmap.resized(to: TargetSize(width: side, height: side), filter: .box)
        let pixels = try Self.pixels(of: small)
        let sum = pixels.reduce(Pixel(), +)
        let hasAlpha = sum.w < Float(pixels.count)
        // Transparent parts are filled with the mean colour, which makes no waves.
        let mean = sum.w > 0 ? sum / sum.w : .zero
        let filled = pixels.map { $0 + mean * (1 - $0.w) }

        let (width, height) = (small.width, small.height)
        let limit = Float(hasAlpha ? 5 : 7)
        func waves(_ length: Int) -> Int { max(1, Self.rounded(limit * Float(length) / Float(max(width, height)))) }
        let (across, down) = (waves(width), waves(height))

        func channel(_ across: Int, _ down: Int, _ level: (Int) -> Float) -> Channel {
            Channel(filled.indices.map(level), width: width, height: height, across: across, down: down)
        }
        let brightness = channel(max(3, across), max(3, down)) { (filled[$0].x + filled[$0].y + filled[$0].z) / 3 }
        let yellow = channel(3, 3) { (filled[$0].x + filled[$0].y) / 2 - filled[$0].z }
        let red = channel(3, 3) { filled[$0].x - filled[$0].y }
        let alpha = hasAlpha ? channel(5, 5) { pixels[$0].w } : nil

        let isLandscape = width > height
        let colors =
            Self.rounded(63 * brightness.mean) | Self.rounded(31.5 + 31.5 * yellow.mean) << 6
            | Self.rounded(31.5 + 31.5 * red.mean) << 12 | Self.rounded(31 * brightness.scale) << 18
            | (hasAlpha ? 1 << 23 : 0)
        let shape =
            (isLandscape ? down : across) | Self.rounded(63 * yellow.scale) << 3 | Self.rounded(63 * red.scale) << 9
            | (isLandscape ? 1 << 15 : 0)
        bytes = [colors, colors >> 8, colors >> 16, shape, shape >> 8].map { UInt8(truncatingIfNeeded: $0) }
        if let alpha {
            bytes.append(UInt8(truncatingIfNeeded: Self.rounded(15 * alpha.mean) | Self.rounded(15 * alpha.scale) << 4))
        }
        let nibbles = [brightness, yellow, red, alpha].compactMap { $0 }.flatMap(\.strengths).map {
            UInt8(truncatingIfNeeded: Self.rounded(15 * $0))
        }
        for start in stride(from: 0, to: nibbles.count, by: 2) {
            bytes.append(nibbles[start] | (start + 1 < nibbles.count ? nibbles[start + 1] << 4 : 0))
        }
    }

    private static func pixels(of bitmap: Bitmap) throws -> [Pixel] {
        var pixels: [Pixel] = []
        try bitmap.readRows { _, row in
            for x in 0..<bitmap.width { pixels.append(row[x].clamped(lowerBound: .zero, upperBound: .one)) }
        }
        return pixels
    }

    /// Halves go up.
    private static func rounded(_ value: Float) -> Int { Int((value + 0.5).rounded(.down)) }

    private struct Channel {
        private(set) var mean: Float = 0
        /// The strongest wave.
        private(set) var scale: Float = 0
        /// The waves but the first, 0 to 1, of which 0.5 is none.
        private(set) var strengths: [Float] = []

        init(_ levels: [Float], width: Int, height: Int, across: Int, down: Int) {
            let columns = Wave.table(count: across, length: width, phase: 0.5)
            let rows = Wave.table(count: down, length: height, phase: 0.5)
            for wave in ThumbHashChannel.waves(across: across, down: down) {
                var sum = 0.0
                for y in 0..<height {
                    var line: Float = 0
                    for x in 0..<width { line += levels[y * width + x] * columns[wave.x][x] }
                    sum += Double(line * rows[wave.y][y])
                }
                let strength = Float(sum / Double(width * height))
                if wave == (0, 0) {
                    mean = strength
                } else {
                    strengths.append(strength)
                    scale = max(scale, abs(strength))
                }
            }
            let half = scale > 0 ? 0.5 / scale : 0
            strengths = strengths.map { scale > 0 ? 0.5 + half * $0 : 0 }
        }
    }
}
