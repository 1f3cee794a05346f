/// Colours by a power curve and, where they are given, primaries (PNG 3rd ed. §11.3.2.1, §11.3.2.2).
public struct ColorCalibration: Hashable, Sendable {
    /// Light is the sample to this power: 2.2 for a PNG whose `gAMA` is 45455.
    public var gamma: Double
    /// `nil` for sRGB's.
    public var chromaticities: Chromaticities?

    /// - Parameter gamma: clamped to 0.1…10; beyond that a file has only one brightness.
    public init(gamma: Double, chromaticities: Chromaticities? = nil) {
        self.gamma = min(max(gamma, 0.1), 10)
        self.chromaticities = chromaticities
    }

    /// Programs write `gAMA` 45455 and the primaries of BT.709 to say sRGB, and have it shown so everywhere.
    var isSRGB: Bool {
        abs(gamma - 2.2) < 0.01 && (chromaticities?.isClose(to: .sRGB, tolerance: 0.002) ?? true)
    }
}
