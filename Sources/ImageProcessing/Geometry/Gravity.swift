import Pixels

/// Which part of a picture counts: where it is kept when it is cut, and where it is put in a larger one.
public enum Gravity: String, Hashable, Sendable, CaseIterable {
    case topLeft, top, topRight
    case left, center, right
    case bottomLeft, bottom, bottomRight

    /// Where something lies in a box; it may be larger than the box. Odd rests go to the right and to the bottom.
    func place(_ size: PixelSize, in box: PixelSize) -> PixelRect {
        let (across, along) = (box.width - size.width, box.height - size.height)
        let x =
            switch self {
            case .topLeft, .left, .bottomLeft: 0
            case .top, .center, .bottom: across / 2
            case .topRight, .right, .bottomRight: across
            }
        let y =
            switch self {
            case .topLeft, .top, .topRight: 0
            case .left, .center, .right: along / 2
            case .bottomLeft, .bottom, .bottomRight: along
            }
        return PixelRect(x: x, y: y, width: size.width, height: size.height)
    }
}
