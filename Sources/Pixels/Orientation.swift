/// How a stored picture has to be turned to be seen upright: the eight values of EXIF's `Orientation` tag.
///
/// Each case names where the stored picture's first row and first column belong on the screen (CIPA DC-008, tag 0x0112).
public enum Orientation: UInt8, Hashable, Sendable, CaseIterable {
    /// Stored upright.
    case up = 1
    /// Mirrored left to right.
    case upMirrored = 2
    /// Turned by 180°.
    case down = 3
    /// Mirrored top to bottom.
    case downMirrored = 4
    /// Mirrored along the diagonal from the top left: row and column change places.
    case leftMirrored = 5
    /// Shown by turning the stored picture 90° clockwise.
    case right = 6
    /// Mirrored along the diagonal from the top right.
    case rightMirrored = 7
    /// Shown by turning the stored picture 90° counter-clockwise.
    case left = 8

    /// The orientation of an EXIF value. Values outside 1…8 mean ``up``, as readers of broken files expect.
    public init(exif value: Int) {
        self = UInt8(exactly: value).flatMap(Orientation.init(rawValue:)) ?? .up
    }

    /// Width and height change places between the stored and the shown picture.
    public var swapsAxes: Bool { rawValue >= 5 }

    /// The orientation that undoes this one.
    public var inverse: Orientation {
        switch self {
        case .right: .left
        case .left: .right
        default: self
        }
    }

    /// The shown size of a picture that is stored with `size`; the stored size of one that is shown with it.
    public func applied(to size: PixelSize) -> PixelSize {
        swapsAxes ? size.transposed : size
    }

    /// Where a stored rectangle lies in the shown picture.
    ///
    /// - Parameters:
    ///   - rect: a rectangle in the stored picture.
    ///   - size: the stored picture's size.
    public func applied(to rect: PixelRect, in size: PixelSize) -> PixelRect {
        let right = size.width - rect.x - rect.width
        let bottom = size.height - rect.y - rect.height
        let (x, y): (Int, Int) =
            switch self {
            case .up: (rect.x, rect.y)
            case .upMirrored: (right, rect.y)
            case .down: (right, bottom)
            case .downMirrored: (rect.x, bottom)
            case .leftMirrored: (rect.y, rect.x)
            case .right: (bottom, rect.x)
            case .rightMirrored: (bottom, right)
            case .left: (rect.y, right)
            }
        let turned = applied(to: rect.size)
        return PixelRect(x: x, y: y, width: turned.width, height: turned.height)
    }
}
