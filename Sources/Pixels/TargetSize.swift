/// How a picture meets a box of another shape.
public enum Fit: String, Hashable, Sendable, CaseIterable {
    /// All of the picture is kept; it touches the box on one axis.
    case contain
    /// The box is filled; what stands out is cut off evenly on both sides.
    case cover
}

/// The size that a picture is wanted in: a box and how to meet it.
///
/// A picture is never made larger than it is unless ``allowsUpscaling`` says so. Without it, `cover` cuts to the part
/// of the box that the picture can fill: 100 × 50 covering 80 × 80 gives 80 × 50.
public struct TargetSize: Hashable, Sendable {
    /// The box's width in pixels, at least 1; `nil` leaves it to the height.
    public var width: Int?
    /// The box's height in pixels, at least 1; `nil` leaves it to the width.
    public var height: Int?
    public var fit: Fit
    /// Default `false`.
    public var allowsUpscaling: Bool

    public init(width: Int? = nil, height: Int? = nil, fit: Fit = .contain, allowsUpscaling: Bool = false) {
        self.width = width
        self.height = height
        self.fit = fit
        self.allowsUpscaling = allowsUpscaling
    }

    /// The largest side that can be asked for.
    public static let maximumSide = 65_535

    /// At least one side is given and all given sides are in 1…65,535.
    public var isValid: Bool {
        func isSide(_ length: Int?) -> Bool { length.map((1...Self.maximumSide).contains) ?? true }
        return (width ?? height) != nil && isSide(width) && isSide(height)
    }

    /// Where a picture goes: the size it is scaled to, and the part of that which is kept.
    public struct Placement: Hashable, Sendable {
        /// The whole picture after scaling.
        public let scaled: PixelSize
        /// The part of ``scaled`` that is the result.
        public let crop: PixelRect
    }

    /// Where a picture of the given shown size goes. Both sides of `source` have to be at least 1.
    public func placement(of source: PixelSize) -> Placement {
        let horizontal = width.map { Double($0) / Double(source.width) }
        let vertical = height.map { Double($0) / Double(source.height) }
        let factors = [horizontal, vertical].compactMap { $0 }
        var scale = (fit == .contain ? factors.min() : factors.max()) ?? 1
        if !allowsUpscaling { scale = min(scale, 1) }

        let scaled = PixelSize(
            width: Self.side(source.width, scale, exact: scale == horizontal ? width : nil),
            height: Self.side(source.height, scale, exact: scale == vertical ? height : nil))
        guard fit == .cover else { return Placement(scaled: scaled, crop: PixelRect(scaled)) }

        let kept = PixelSize(
            width: min(scaled.width, width ?? scaled.width), height: min(scaled.height, height ?? scaled.height))
        let crop = PixelRect(
            x: (scaled.width - kept.width) / 2, y: (scaled.height - kept.height) / 2, width: kept.width,
            height: kept.height)
        return Placement(scaled: scaled, crop: crop)
    }

    private static func side(_ length: Int, _ scale: Double, exact: Int?) -> Int {
        if let exact { return exact }
        let scaled = (Double(length) * scale).rounded()
        return scaled >= Double(Int32.max) ? Int(Int32.max) : max(1, Int(scaled))
    }
}
