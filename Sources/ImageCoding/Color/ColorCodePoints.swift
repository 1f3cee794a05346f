/// Colour by the numbers of ITU-T H.273: which primaries, which transfer curve, which matrix.
///
/// A number that the table below does not know is kept and read as sRGB's.
public struct ColorCodePoints: Hashable, Sendable {
    /// Table 2: 1 is BT.709 and sRGB, 9 is BT.2020, 12 is Display P3. 2 means that nothing is said.
    public var primaries: UInt8
    /// Table 3: 13 is sRGB, 16 perceptual quantisation (PQ), 18 hybrid log-gamma (HLG). 2 means that nothing is said.
    public var transfer: UInt8
    /// Table 4: how the file's samples relate to red, green and blue. Decoded pixels are RGB already.
    public var matrix: UInt8
    /// Samples use all their values; `false` for the narrow range of video.
    public var isFullRange: Bool
    /// The brightest light that the picture was made for, in cd/m², where the file says so.
    public var peakLuminance: Double?

    public init(
        primaries: UInt8, transfer: UInt8, matrix: UInt8 = 0, isFullRange: Bool = true, peakLuminance: Double? = nil
    ) {
        self.primaries = primaries
        self.transfer = transfer
        self.matrix = matrix
        self.isFullRange = isFullRange
        self.peakLuminance = peakLuminance
    }

    /// PQ or HLG.
    public var isHighDynamicRange: Bool { transfer == Self.perceptualQuantizer || transfer == Self.hybridLogGamma }

    static let perceptualQuantizer: UInt8 = 16
    static let hybridLogGamma: UInt8 = 18

    /// Also where nothing is said of a half: who writes primaries 1 and transfer 2 means sRGB.
    var isSRGB: Bool {
        chromaticities == .sRGB && curve == .sRGB
    }

    /// The primaries' places, sRGB's where the number is not known.
    var chromaticities: Chromaticities { Chromaticities(primaries) ?? .sRGB }

    /// The curve that turns a sample into light; `nil` for PQ and HLG, which need more than a curve.
    var curve: TransferCurve? { isHighDynamicRange ? nil : TransferCurve(transfer) ?? .sRGB }
}

/// Where a display's primaries and its white lie in the CIE 1931 diagram.
public struct Chromaticities: Hashable, Sendable {
    public struct Point: Hashable, Sendable {
        public var x: Double
        public var y: Double

        public init(x: Double, y: Double) {
            self.x = x
            self.y = y
        }
    }

    public var red: Point
    public var green: Point
    public var blue: Point
    public var white: Point

    public init(red: Point, green: Point, blue: Point, white: Point) {
        self.red = red
        self.green = green
        self.blue = blue
        self.white = white
    }

    private init(_ red: (Double, Double), _ green: (Double, Double), _ blue: (Double, Double), white: Point) {
        self.init(
            red: Point(x: red.0, y: red.1), green: Point(x: green.0, y: green.1), blue: Point(x: blue.0, y: blue.1),
            white: white)
    }

    private static let d65 = Point(x: 0.3127, y: 0.3290)

    static let adobeRGB = Chromaticities((0.64, 0.33), (0.21, 0.71), (0.15, 0.06), white: d65)
    static let sRGB = Chromaticities((0.64, 0.33), (0.30, 0.60), (0.15, 0.06), white: d65)

    /// The primaries of a code point (H.273 table 2).
    init?(_ codePoint: UInt8) {
        let illuminantC = Point(x: 0.310, y: 0.316)
        switch codePoint {
        case 1: self = .sRGB
        case 4: self.init((0.67, 0.33), (0.21, 0.71), (0.14, 0.08), white: illuminantC)
        case 5: self.init((0.64, 0.33), (0.29, 0.60), (0.15, 0.06), white: Self.d65)
        case 6, 7: self.init((0.630, 0.340), (0.310, 0.595), (0.155, 0.070), white: Self.d65)
        case 8: self.init((0.681, 0.319), (0.243, 0.692), (0.145, 0.049), white: illuminantC)
        case 9: self.init((0.708, 0.292), (0.170, 0.797), (0.131, 0.046), white: Self.d65)
        case 11: self.init((0.680, 0.320), (0.265, 0.690), (0.150, 0.060), white: Point(x: 0.314, y: 0.351))
        case 12: self.init((0.680, 0.320), (0.265, 0.690), (0.150, 0.060), white: Self.d65)
        case 22: self.init((0.630, 0.340), (0.295, 0.605), (0.155, 0.077), white: Self.d65)
        default: return nil
        }
    }

    /// Points that span a triangle with the white inside the diagram; others would divide by nothing.
    var isUsable: Bool {
        let points = [red, green, blue, white]
        let area = (green.x - red.x) * (blue.y - red.y) - (blue.x - red.x) * (green.y - red.y)
        return points.allSatisfy { (0...1).contains($0.x) && $0.y > 0.001 && $0.y <= 1 && $0.x + $0.y <= 1.001 }
            && abs(area) > 0.001
    }

    /// Each coordinate is within `tolerance` of the other's.
    func isClose(to other: Chromaticities, tolerance: Double) -> Bool {
        zip([red, green, blue, white], [other.red, other.green, other.blue, other.white]).allSatisfy {
            abs($0.x - $1.x) <= tolerance && abs($0.y - $1.y) <= tolerance
        }
    }
}
