/// A rectangle of whole pixels; the origin is the picture's top left corner.
public struct PixelRect: Hashable, Sendable {
    public var x: Int
    public var y: Int
    public var width: Int
    public var height: Int

    public init(x: Int, y: Int, width: Int, height: Int) {
        self.x = x
        self.y = y
        self.width = width
        self.height = height
    }

    /// All of a picture of the given size.
    public init(_ size: PixelSize) {
        self.init(x: 0, y: 0, width: size.width, height: size.height)
    }

    public var size: PixelSize { PixelSize(width: width, height: height) }

    public var isEmpty: Bool { width <= 0 || height <= 0 }

    /// The part that lies inside a picture of the given size; empty when they do not touch.
    public func clamped(to size: PixelSize) -> PixelRect {
        let (left, right) = Self.clamp(x, width, to: size.width)
        let (top, bottom) = Self.clamp(y, height, to: size.height)
        return PixelRect(x: left, y: top, width: right - left, height: bottom - top)
    }

    private static func clamp(_ start: Int, _ length: Int, to limit: Int) -> (Int, Int) {
        let limit = max(0, limit)
        let (end, overflow) = start.addingReportingOverflow(max(0, length))
        let first = min(max(0, start), limit)
        return (first, max(first, min(overflow ? limit : end, limit)))
    }
}
