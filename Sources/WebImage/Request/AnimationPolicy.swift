import ImageProcessing

/// What becomes of a picture that moves.
///
/// ```swift
/// var request = ImageRequest(url: url, target: TargetSize(width: 320))
/// request.options.animation = .moving
/// let response = try await ImagePipeline.shared.response(for: request)
/// if let animation = response.animation {
///     print("\(animation.frameCount) frames, the first of them is \(response.bitmap.size)")
/// }
/// ```
public struct AnimationPolicy: Hashable, Sendable {
    /// Whether ``ImageResponse/animation`` comes with the picture. Default `false`: a picture that moves is its first frame.
    public var isWanted: Bool

    /// Whether the request's processing is done to every frame, each time that it is decoded. Without it, which is the
    /// default, a request with processing gets the first frame, processed, and no animation: the frames would not look like
    /// it.
    public var processesFrames: Bool

    /// Whether all frames are decoded before the picture is delivered, and held for as long as the animation is. They count
    /// in the memory cache and in no ``FrameBudget``. Default `false`. An animation that is in memory already stays as it
    /// is.
    public var preloadsFrames: Bool

    public init(isWanted: Bool = false, processesFrames: Bool = false, preloadsFrames: Bool = false) {
        self.isWanted = isWanted
        self.processesFrames = processesFrames
        self.preloadsFrames = preloadsFrames
    }

    /// Only the first frame.
    public static let still = AnimationPolicy()

    /// The animation too. Its colours are sRGB, whatever ``RequestOptions/color`` says.
    public static let moving = AnimationPolicy(isWanted: true)
}

extension AnimationPolicy {
    /// Whether an animation is to come with a picture of that processing, if it moves.
    func applies(to processing: [ProcessingStep]) -> Bool { isWanted && (processing.isEmpty || processesFrames) }
}

extension ImageRequest {
    /// Whether an animation is to come with the picture, if it moves.
    var wantsAnimation: Bool { keys.moving != nil }
}
