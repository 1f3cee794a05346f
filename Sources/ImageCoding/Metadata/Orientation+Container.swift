import Pixels

extension Orientation {
    /// The turn and the mirror of a HEIF or AVIF container, in this order (ISO/IEC 23008-12 §6.5.10 and 6.5.12).
    ///
    /// - Parameters:
    ///   - quarterTurnsLeft: how often the picture is turned by 90° against the clock; any number.
    ///   - thenMirroredLeftToRight: `true` exchanges left and right afterwards, `false` top and bottom, `nil` neither.
    init(quarterTurnsLeft turns: Int, thenMirroredLeftToRight mirror: Bool?) {
        let turned = [Orientation.up, .left, .down, .right][turns & 3]
        let mirroredLeftToRight: Orientation =
            switch turned {
            case .left: .rightMirrored
            case .down: .downMirrored
            case .right: .leftMirrored
            default: .upMirrored
            }
        let mirroredTopToBottom: Orientation =
            switch turned {
            case .left: .leftMirrored
            case .down: .upMirrored
            case .right: .rightMirrored
            default: .downMirrored
            }
        self = mirror.map { $0 ? mirroredLeftToRight : mirroredTopToBottom } ?? turned
    }
}
