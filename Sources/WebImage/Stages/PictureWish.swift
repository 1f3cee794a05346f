import Pixels

/// In which size a picture is wanted.
struct PictureWish: Hashable, Sendable {
    var target: TargetSize?
    /// The most bytes of pixels.
    var byteLimit: Int?

    /// The box that a picture of a shown size has to meet; `nil` when it stays as large as it is.
    func target(for size: PixelSize) -> TargetSize? {
        guard let byteLimit else { return target }
        let wanted = target.map { $0.placement(of: size).crop.size } ?? size
        let allowed = wanted.within(byteLimit: byteLimit)
        guard allowed != wanted else { return target }
        return TargetSize(
            width: allowed.width, height: allowed.height, fit: target?.fit ?? .contain,
            allowsUpscaling: target?.allowsUpscaling ?? false)
    }
}

extension ImageRequest {
    var wish: PictureWish { PictureWish(target: target, byteLimit: options.byteLimit) }
}
