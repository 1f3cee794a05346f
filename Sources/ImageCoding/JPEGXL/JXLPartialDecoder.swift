#if JPEGXL
import CJXL
import Pixels

extension JXLDecoder: PartialImageDecoder {
    /// A picture with loss is shown whole when its eighth of the size is there, once more when three quarters of it are final,
    /// and when it is complete. Showing what is not final costs up to a whole decode the first time and a quarter of one the
    /// second, so there are no more. Rows of a picture without loss come from top to bottom, unless it is stored from coarse
    /// to fine: then it is shown when it is complete. Of a moving picture the first frame is shown.
    public func makePartialDecoder(for request: PartialRequest) -> any PartialDecoder {
        EndingDecoder(JXLPartialDecoder(request), limits: request.limits)
    }
}

private final class JXLPartialDecoder: FinitePartialDecoder {
    /// What can be shown of the first frame.
    private enum Stage {
        /// Nothing but the rows that are final.
        case rows
        /// All of it, roughly.
        case coarse
        case whole
    }

    private let request: PartialRequest
    private var fresh = FreshBytes()
    private var reader: JXLReader?
    /// How many bytes libjxl has taken.
    private var taken = 0
    private var picture: JXLPartialPicture?
    private var stage = Stage.rows

    var isOver: Bool { stage == .whole }

    init(_ request: PartialRequest) { self.request = request }

    func update(_ bytes: UnsafeRawBufferPointer) throws -> PartialProgress? {
        guard fresh.areEnough(at: bytes.count) else { return nil }
        let reader = try self.reader ?? makeReader()
        self.reader = reader
        try read(bytes, reader)
        return try look()
    }

    private func makeReader() throws(CodingError) -> JXLReader {
        let reader = try JXLReader(events: JXL_DEC_FULL_IMAGE.rawValue | JXL_DEC_FRAME_PROGRESSION.rawValue)
        guard JxlDecoderSetProgressiveDetail(reader.decoder, kDC) == JXL_DEC_SUCCESS else { throw JXLReader.damaged }
        return reader
    }

    private func read(_ bytes: UnsafeRawBufferPointer, _ reader: JXLReader) throws {
        try reader.setInput(BoundedBytes(bytes).slice(min(taken, bytes.count)..<bytes.count))
        // libjxl keeps nothing of the bytes that it has taken, and wants the others again.
        defer { taken = bytes.count - JxlDecoderReleaseInput(reader.decoder) }
        while stage != .whole {
            try picture?.checkCancellation()
            switch JxlDecoderProcessInput(reader.decoder) {
            case JXL_DEC_BASIC_INFO:
                try reader.readBasicInfo()
                try request.limits.check(reader.size, format: .jpegXL)
            case JXL_DEC_COLOR_ENCODING:
                reader.readColor()
                let info = reader.imageInfo
                picture = try JXLPartialPicture(reader, info, options: request.options(info), into: request.makeSink)
            case JXL_DEC_NEED_IMAGE_OUT_BUFFER:
                guard let picture else { throw JXLReader.damaged }
                try picture.lendFrame()
            case JXL_DEC_FRAME_PROGRESSION: stage = .coarse
            case JXL_DEC_FULL_IMAGE: stage = .whole
            case JXL_DEC_NEED_MORE_INPUT: return
            default: throw JXLReader.damaged
            }
        }
    }

    private func look() throws -> PartialProgress? {
        switch stage {
        case .rows: try picture?.takeRows()
        case .coarse: try picture?.flush()
        case .whole: try picture?.finish()
        }
    }
}
#endif
