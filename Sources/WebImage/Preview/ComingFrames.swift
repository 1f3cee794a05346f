import ByteBuffers
import ImageCoding
import Pixels

/// The frames of one animation that have come so far. For one thread at a time.
struct ComingFrames {
    private var frameCount = 0
    private var poster: (bitmap: Bitmap, info: ImageInfo)?
    /// How many bytes make another look worth it.
    private var nextLook = 0
    private var hasEnded = false

    /// No two frames are there yet.
    var isEmpty: Bool { frameCount == 0 }

    /// - Parameter bytes: all that have come so far.
    /// - Returns: `nil` when no more frames are there than before. What cannot be read is no error: the picture decides
    ///   later.
    mutating func update(
        _ bytes: UnsafeRawBufferPointer, _ stage: PictureStage, for request: ImageRequest,
        shouldContinue: @escaping @Sendable () -> Bool
    ) -> ImagePreview? {
        guard !hasEnded, bytes.count >= nextLook else { return nil }
        // A look walks over all that is there and makes a copy of it. When so much has to come before the next one, all
        // looks together copy nine times the file.
        nextLook = bytes.count + bytes.count / 8
        do {
            guard let info = try? stage.coders.info(of: bytes) else { return nil }
            guard stage.coders.animatedFormats.contains(info.format) else {
                // What says that a PNG moves stands behind its header.
                hasEnded = info.format != .png
                return nil
            }
            let animation = try stage.animation(of: Bytes(copying: bytes), info.format, for: request)
            guard let animation, animation.frameCount > max(1, frameCount) else { return nil }
            let poster = try poster ?? (firstFrame(of: animation, shouldContinue), info)
            self.poster = poster
            frameCount = animation.frameCount
            return ImagePreview(
                bitmap: poster.bitmap, region: PixelRect(poster.bitmap.size), size: poster.bitmap.size,
                info: poster.info, pass: 1, animation: animation)
        } catch {
            hasEnded = true
            return nil
        }
    }

    private func firstFrame(
        of animation: AnimatedImage, _ shouldContinue: @escaping @Sendable () -> Bool
    ) throws(CodingError) -> Bitmap {
        let viewer = FrameViewer(.max)
        defer { animation.leave(viewer) }
        return try animation.frame(at: 0, for: viewer, shouldContinue: shouldContinue)
    }
}
