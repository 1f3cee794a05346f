/// One number of a pixel as it is stored.
protocol PixelComponent: BitwiseCopyable {
    /// The number where white is 1; finite.
    var level: Float { get }
    /// The nearest number that can be stored.
    init(level: Float)
    /// Levels are kept within 0…1.
    static var isBounded: Bool { get }
}

extension UInt8: PixelComponent {
    @inline(__always) var level: Float { Float(self) * (1 / 255) }

    @inline(__always) init(level: Float) { self = UInt8(Self.bounded(level) * 255 + 0.5) }

    static var isBounded: Bool { true }
}

extension UInt16: PixelComponent {
    @inline(__always) var level: Float { Float(self) * (1 / 65_535) }

    @inline(__always) init(level: Float) { self = UInt16(Self.bounded(level) * 65_535 + 0.5) }

    static var isBounded: Bool { true }
}

extension PixelComponent {
    /// 0…1; what is not a number becomes 0.
    @inline(__always) static func bounded(_ level: Float) -> Float { level > 0 ? (level < 1 ? level : 1) : 0 }
}

extension Float: PixelComponent {
    /// Beyond this, sums of many numbers lose the small ones.
    private static let largestLevel: Float = 1e9

    @inline(__always) var level: Float {
        isNaN ? 0 : Swift.min(Swift.max(self, -Self.largestLevel), Self.largestLevel)
    }

    @inline(__always) init(level: Float) { self = level }

    static var isBounded: Bool { false }
}
