#if JPEG
import Pixels

/// The sizes that JPEG's transform can deliver without making the full one first: eighths of each 8 × 8 block.
///
/// libjpeg can also make 3, 5, 6 and 7 eighths, but it has no fast code for them: 3/8 takes longer than 1/2.
enum DCTScale: Int, CaseIterable {
    case eighth = 1
    case quarter = 2
    case half = 4
    case full = 8

    /// The smallest scale that is not below `wanted` on either axis; full size when nothing is wanted.
    init(covering wanted: PixelSize?, of size: PixelSize) {
        guard let wanted else {
            self = .full
            return
        }
        let fitting = Self.allCases.first { scale in
            let scaled = scale.applied(to: size)
            return scaled.width >= wanted.width && scaled.height >= wanted.height
        }
        self = fitting ?? .full
    }

    /// The size that a picture gets, rounded up.
    func applied(to size: PixelSize) -> PixelSize {
        PixelSize(width: (size.width * rawValue + 7) / 8, height: (size.height * rawValue + 7) / 8)
    }
}
#endif
