#if AVIF
import CAVIF
import Pixels

/// The frames of an image sequence (ISO/IEC 23000-22 §3), in the order in which they are shown.
extension AVIFContainer {
    /// How many of the first frames are whole, and at least the very first.
    ///
    /// - Parameter fileLength: how many bytes are there.
    func wholeFrames(atMost count: Int, fileLength: Int) -> Int {
        // Frames lie in their order, so those that are whole are found by halving.
        var (whole, cut) = (1, max(1, min(count, frameCount)) + 1)
        while whole + 1 < cut {
            let middle = whole + (cut - whole) / 2
            if isWhole(middle - 1, fileLength: fileLength) { whole = middle } else { cut = middle }
        }
        return whole
    }

    /// All that a frame is decoded from is there: what lies between its key frame's start and its own end.
    private func isWhole(_ index: Int, fileLength: Int) -> Bool {
        var extent = avifExtent()
        guard avifDecoderNthImageMaxExtent(decoder, UInt32(index), &extent) == AVIF_RESULT_OK else { return false }
        let (end, overflow) = extent.offset.addingReportingOverflow(UInt64(extent.size))
        return !overflow && end <= fileLength
    }

    /// Decodes a frame's planes, and those before it that it is made of: none when the one before it was decoded last,
    /// else those from the nearest key frame on.
    func decode(frame index: Int, options: DecodeOptions) throws(CodingError) {
        let key = Int(avifDecoderNearestKeyframe(decoder, UInt32(index)))
        if index < currentFrame || key > currentFrame + 1 {
            try options.checkCancellation()
            try check(avifDecoderNthImage(decoder, UInt32(key)))
        }
        while currentFrame < index {
            try options.checkCancellation()
            try decodeNext()
        }
    }

    /// The frame that was decoded last, -1 before the first.
    private var currentFrame: Int { Int(decoder.pointee.imageIndex) }
}
#endif
