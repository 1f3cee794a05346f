public import Pixels

/// One step of processing a decoded picture.
///
/// A step is equal to another exactly when it makes the same of every picture, and its ``identity`` says so in words: it
/// is part of cache keys, so that pictures that were processed differently are never taken for each other.
public enum ProcessingStep: Hashable, Sendable {
    /// Scaled to meet a box.
    case resize(TargetSize, filter: ResampleFilter = .lanczos3)
    /// Whatever a closure makes of it.
    case custom(CustomStep)

    /// Does the step.
    ///
    /// - Throws: ``ProcessingError``, or what a custom step throws.
    public func apply(to bitmap: Bitmap) throws -> Bitmap {
        switch self {
        case .resize(let target, let filter): try bitmap.resized(to: target, filter: filter)
        case .custom(let step): try step.body(bitmap)
        }
    }

    /// What tells the step from all others: its name and every parameter, in an order that stays.
    public var identity: [String] {
        switch self {
        case .resize(let target, let filter):
            [
                "resize", "\(target.width ?? 0)", "\(target.height ?? 0)", target.fit.rawValue,
                target.allowsUpscaling ? "up" : "down", "\(filter)",
            ]
        case .custom(let step): ["custom", step.name]
        }
    }
}

/// A step of a program's own making.
public struct CustomStep: Hashable, Sendable {
    /// What tells it from all others. It has to name every parameter that the closure uses: two steps of one name are
    /// taken to do the same.
    public let name: String
    let body: @Sendable (Bitmap) throws -> Bitmap

    /// - Parameter body: called on a decode thread, for different pictures at the same time.
    public init(_ name: String, body: @escaping @Sendable (Bitmap) throws -> Bitmap) {
        self.name = name
        self.body = body
    }

    public static func == (left: CustomStep, right: CustomStep) -> Bool { left.name == right.name }

    public func hash(into hasher: inout Hasher) { hasher.combine(name) }
}
