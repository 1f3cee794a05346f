#if WebP
import CWebP
import Pixels

/// The frames of an animation (WebP container specification, "Animation").
extension WebPContainer {
    struct AnimationFrame {
        let header: FrameHeader
        /// Where its own compressed bytes are in the file, cut where the file ends.
        let bytes: Range<Int>
    }

    /// How often the animation plays in all, 0 for ever.
    var loopCount: Int { Int(feature(WEBP_FF_LOOP_COUNT)) }

    /// The first frames that are whole, and the very first even when it is cut off.
    ///
    /// - Parameter start: where the file's bytes are.
    /// - Throws: ``CodingError`` with `tooManyFrames`.
    func frames(
        atMost count: Int, limits: DecodeLimits, startingAt start: UnsafeRawPointer?
    ) throws(CodingError) -> [AnimationFrame] {
        var frame = WebPIterator()
        defer { WebPDemuxReleaseIterator(&frame) }
        guard let start, WebPDemuxGetFrame(handle, 1, &frame) != 0 else { return [] }
        // Before anything is allocated for them.
        if count > 1 { try limits.check(frames: Int(frame.num_frames), format: .animatedWebP) }
        var frames: [AnimationFrame] = []
        repeat {
            guard frame.complete != 0 || frames.isEmpty else { break }
            let offset = UnsafeRawPointer(frame.fragment.bytes) - start
            frames.append(
                AnimationFrame(header: Self.header(of: frame), bytes: offset..<offset + frame.fragment.size))
        } while frames.count < count && WebPDemuxNextFrame(&frame) != 0
        return frames
    }

    private static func header(of frame: WebPIterator) -> FrameHeader {
        FrameHeader(
            place: PixelRect(
                x: Int(frame.x_offset), y: Int(frame.y_offset), width: Int(frame.width), height: Int(frame.height)),
            delay: .milliseconds(Int(frame.duration)), hasAlpha: frame.has_alpha != 0,
            blending: frame.blend_method == WEBP_MUX_BLEND ? .over : .replace,
            disposal: frame.dispose_method == WEBP_MUX_DISPOSE_BACKGROUND ? .clear : .keep)
    }
}
#endif
