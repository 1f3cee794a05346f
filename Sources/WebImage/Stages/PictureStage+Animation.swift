import ByteBuffers
import ImageCoding
import ImageProcessing
import Pixels

/// A picture with all that moves in it.
struct MovingPicture {
    /// The first frame.
    let bitmap: Bitmap
    /// `nil` when it does not move, or when that is not wanted.
    let animation: AnimatedImage?
    /// `nil` when nobody looked for more frames.
    let isStill: Bool?
    let info: ImageInfo
}

extension PictureStage {
    /// Decodes a picture as a request wants it, with its animation if that is wanted: then the request's processing is done
    /// here, to every frame.
    func movingPicture(
        from bytes: Bytes, for request: ImageRequest, shouldContinue: @escaping @Sendable () -> Bool
    ) throws -> MovingPicture {
        guard request.wantsAnimation else {
            let (bitmap, info) = try picture(from: bytes, for: request, shouldContinue: shouldContinue)
            return MovingPicture(bitmap: bitmap, animation: nil, isStill: nil, info: info)
        }
        if let info = try? bytes.withUnsafeBytes({ try coders.info(of: $0) }), info.frameCount != 1,
            let moving = try moving(bytes, info, for: request, shouldContinue: shouldContinue)
        {
            return moving
        }
        var (bitmap, info) = try picture(from: bytes, for: request, shouldContinue: shouldContinue)
        for step in request.processing { bitmap = try step.apply(to: bitmap) }
        return MovingPicture(bitmap: bitmap, animation: nil, isStill: true, info: info)
    }

    /// - Returns: `nil` for a picture that does not move, or whose frames cannot be read.
    private func moving(
        _ bytes: Bytes, _ info: ImageInfo, for request: ImageRequest, shouldContinue: @escaping @Sendable () -> Bool
    ) throws -> MovingPicture? {
        guard var animation = try animation(of: bytes, info.format, for: request) else { return nil }
        let viewer = FrameViewer(.max)
        let bitmap = try animation.frame(at: 0, for: viewer, shouldContinue: shouldContinue)
        if bitmap.size != animation.size {
            // Processing has made another size of it: only now is it known which.
            animation = try self.animation(of: bytes, info.format, for: request, in: bitmap.size) ?? animation
        }
        if request.options.animation.preloadsFrames { try animation.preload(shouldContinue: shouldContinue) }
        // From here on those who play it say what is held.
        animation.leave(viewer)
        return MovingPicture(bitmap: bitmap, animation: animation, isStill: false, info: info)
    }

    /// The frames of a picture as a request wants them; none is decoded.
    ///
    /// - Parameter size: what the request's processing makes of the frames; `nil` while nobody knows.
    /// - Returns: `nil` for a picture that does not move, or whose frames cannot be read.
    func animation(
        of bytes: Bytes, _ format: ImageFormat, for request: ImageRequest, in size: PixelSize? = nil
    ) throws -> AnimatedImage? {
        var options = AnimationOptions(keptBytes: 0, limits: request.limits)
        guard let animation = try? coders.animation(of: bytes, options: options), animation.isMoving else { return nil }
        guard var finishing = try finishing(of: animation.size, format, for: request) else { return animation }
        if let size { finishing.size = size }
        options.thumbnail = finishing
        return try coders.animation(of: bytes, options: options)
    }

    /// What is done to every frame; `nil` for frames that are wanted as they are.
    private func finishing(
        of size: PixelSize, _ format: ImageFormat, for request: ImageRequest
    ) throws -> AnimationOptions.Thumbnail? {
        let placement = request.wish.target(for: size)?.placement(of: size)
        let isResized = placement.map { $0.scaled != size || $0.crop != PixelRect(size) } ?? false
        guard isResized || !request.processing.isEmpty else { return nil }
        if let placement { try request.limits.check(placement.scaled, format: format) }
        return AnimationOptions.Thumbnail(size: placement?.crop.size ?? size) { [steps = request.processing] frame in
            var frame = frame
            if let placement, isResized {
                frame = try frame.resized(scaledTo: placement.scaled, crop: placement.crop)
            }
            for step in steps { frame = try step.apply(to: frame) }
            return frame
        }
    }
}
