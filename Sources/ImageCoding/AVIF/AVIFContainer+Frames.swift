#if AVIF
import CAVIF
import Pixels

/// The frames of an image sequence (ISO/IEC 23000-22 §3), in the order in which they are shown.
extension AVIFContainer {
    /// How long each frame is shown, up to the first that is not whole; at least that of the first.
    ///
    /// - Parameter fileLength: how many bytes are there.
    func delays(atMost count: Int, fileLength: Int) -> [Duration] {
        var delays: [Duration] = []
        for index in 0..<UInt32(min(count, frameCount)) {
            var extent = avifExtent()
            guard avifDecoderNthImageMaxExtent(decoder, index, &extent) == AVIF_RESULT_OK else { break }
            // What is needed reaches from the key frame before it to its own end.
            let (end, overflow) = extent.offset.addingReportingOverflow(UInt64(extent.size))
            guard index == 0 || (!overflow && end <= fileLength) else { break }
            var timing = avifImageTiming()
            guard avifDecoderNthImageTiming(decoder, index, &timing) == AVIF_RESULT_OK else { break }
            // The file has 32 bits for each number.
            delays.append(
                Duration(
                    ticks: UInt32(clamping: timing.durationInTimescales),
                    perTicks: UInt32(clamping: timing.timescale)))
        }
        return delays
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
