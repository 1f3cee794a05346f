import ByteBuffers
public import Pixels

/// One step of processing a decoded picture.
///
/// Equal steps make the same of every picture, and have the same ``identity``, which is part of cache keys: pictures that
/// were processed differently are never taken for each other.
///
/// Every step takes every pixel format and works with multiplied alpha, on stored values: colours are not made linear. The
/// result has the same format, except that it gets an alpha channel where something becomes transparent, and colour where
/// something grey does. A step that changes nothing returns the same bitmap. Lengths are pixels. Numbers that make no sense
/// are errors and not traps; so is a result with a side over 65,535 or with more than 2²⁷ pixels.
public enum ProcessingStep: Hashable, Sendable {
    /// Scaled to meet a box; made larger only where the target allows that.
    case resize(TargetSize, filter: ResampleFilter = .lanczos3)
    /// Scaled up or down to exactly this size.
    case resizeExactly(PixelSize, mode: ScaleMode = .stretch, filter: ResampleFilter = .lanczos3)
    /// The part within a rectangle; what reaches outside the picture is left out.
    case crop(PixelRect)
    /// A part of this size, or as much of it as the picture has: nothing is made larger.
    case cropToSize(PixelSize, gravity: Gravity = .center)
    /// A frame of a colour around the picture, which is laid over it: the colour also shows through its transparent parts.
    case pad(PixelInsets, color: PixelColor = .clear)
    /// Mirrored.
    case flip(FlipAxis)
    /// Turned clockwise about its centre. Quarter turns are exact; other angles mix the four nearest pixels. The canvas grows
    /// to hold all of it, or keeps its size and cuts. The background also shows through transparent parts.
    case rotate(degrees: Double, growsCanvas: Bool = true, background: PixelColor = .clear)
    /// Corners cut round, with a line along the outline.
    case roundCorners(CornerRadii, border: Border? = nil)
    /// The largest circle around the middle, in a square picture.
    case circle(border: Border? = nil)
    /// A colour laid over the picture. With the default mode the picture becomes a stencil of the colour.
    case tint(PixelColor, mode: BlendMode = .sourceIn)
    /// Blurred by a Gaussian with this standard deviation, 0 to 10,000. The outermost pixels go on beyond the edges. From 3
    /// on it is three moving averages of the same spread, and takes the same time however wide it is, up to the width of the picture.
    case gaussianBlur(sigma: Double)
    /// Each pixel the mean of the square that reaches `radius` pixels to each side, 0 to 10,000; one to ten times over.
    case boxBlur(radius: Int, passes: Int = 1)
    /// An unsharp mask: `amount`, 0 to 100, times the difference to a Gaussian blur is added where it is at least
    /// `threshold`, 0 to 1.
    case sharpen(sigma: Double = 1, amount: Double = 1, threshold: Double = 0)
    /// Every pixel through a matrix: grey, sepia, saturation, brightness, contrast, inversion.
    case colorMatrix(ColorMatrix)
    /// Another picture laid over.
    case overlay(Overlay)
    /// Several steps as one, in order.
    case sequence([ProcessingStep])
    /// Whatever a closure makes of it.
    case custom(CustomStep)

    /// Does the step.
    ///
    /// A step knows nothing of other pictures, so the frames of an animation can each be given to it; frames of one size
    /// become frames of one size.
    ///
    /// - Throws: ``ProcessingError``, or what a custom step throws.
    public func apply(to bitmap: Bitmap) throws -> Bitmap {
        do {
            return try made(of: bitmap)
        } catch let error as AllocationError {
            throw ProcessingError.outOfMemory(byteCount: error.byteCount)
        }
    }

    private func made(of bitmap: Bitmap) throws -> Bitmap {
        switch self {
        case .resize(let target, let filter): try bitmap.resized(to: target, filter: filter)
        case .resizeExactly(let size, let mode, let filter):
            try bitmap.resized(exactly: size, mode: mode, filter: filter)
        case .crop(let rect): try bitmap.cropped(to: rect)
        case .cropToSize(let size, let gravity): try bitmap.cropped(to: size, gravity: gravity)
        case .pad(let insets, let color): try bitmap.padded(insets, color: color)
        case .flip(let axis): try bitmap.flipped(axis)
        case .rotate(let degrees, let growsCanvas, let background):
            try bitmap.rotated(degrees: degrees, growsCanvas: growsCanvas, background: background)
        case .roundCorners(let radii, let border): try bitmap.rounded(radii, border: border)
        case .circle(let border): try bitmap.circle(border: border)
        case .tint(let color, let mode): try bitmap.tinted(color, mode: mode)
        case .gaussianBlur(let sigma): try bitmap.blurred(sigma: sigma)
        case .boxBlur(let radius, let passes): try bitmap.boxBlurred(radius: radius, passes: passes)
        case .sharpen(let sigma, let amount, let threshold):
            try bitmap.sharpened(sigma: sigma, amount: amount, threshold: threshold)
        case .colorMatrix(let matrix): try bitmap.recolored(by: matrix)
        case .overlay(let overlay): try bitmap.overlaid(overlay)
        case .sequence(let steps): try steps.reduce(bitmap) { try $1.apply(to: $0) }
        case .custom(let step): try step.body(bitmap)
        }
    }
}
