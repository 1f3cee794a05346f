import ByteBuffers
import ImageCoding
import ImageProcessing
import Pixels

/// Makes the previews of one picture in one size from bytes that grow. For one thread at a time.
final class PreviewMaker {
    private let stage: PictureStage
    private let request: ImageRequest
    private let shouldContinue: @Sendable () -> Bool
    private var decoder: (any PartialDecoder)?
    private var sink: ResamplingSink?
    private var frames = ComingFrames()
    private var hasEnded = false

    init(
        _ stage: PictureStage, for request: ImageRequest, shouldContinue: @escaping @Sendable () -> Bool
    ) {
        self.stage = stage
        self.request = request
        self.shouldContinue = shouldContinue
    }

    /// - Parameter bytes: all that have come so far.
    /// - Returns: `nil` when there is nothing new to see. What cannot be shown is no error: the picture decides later.
    func update(_ bytes: UnsafeRawBufferPointer) -> ImagePreview? {
        if request.wantsAnimation {
            let preview = frames.update(bytes, stage, for: request, shouldContinue: shouldContinue)
            if preview != nil || !frames.isEmpty { return preview }
        }
        guard !hasEnded else { return nil }
        if decoder == nil { decoder = makeDecoder(bytes) }
        do {
            guard let progress = try decoder?.update(bytes), let rows = sink?.snapshot() else { return nil }
            let info = progress.info
            let stored = stage.storedSize(info, request.wish)
            let region = info.orientation.applied(to: PixelRect(rows.size), in: stored)
            return ImagePreview(
                bitmap: try rows.oriented(by: info.orientation), region: region,
                size: info.orientation.applied(to: stored), info: info, pass: progress.pass,
                animation: nil)
        } catch {
            hasEnded = true
            decoder = nil
            sink = nil
            return nil
        }
    }

    private func makeDecoder(_ bytes: UnsafeRawBufferPointer) -> (any PartialDecoder)? {
        stage.coders.partialDecoder(
            for: bytes,
            PartialRequest(
                limits: request.limits,
                optionsFor: { [stage, request, shouldContinue] info in
                    DecodeOptions(
                        minimumSize: stage.minimumSize(info, request.wish), color: request.options.color,
                        limits: request.limits, shouldContinue: shouldContinue)
                },
                into: { [unowned self] info in
                    let sink = try stage.makeSink(info, request.wish, limits: request.limits)
                    self.sink = sink
                    return sink
                }))
    }
}
