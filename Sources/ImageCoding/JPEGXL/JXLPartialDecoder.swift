#if JPEGXL
import CJXL
public import Pixels

extension JXLDecoder: PartialImageDecoder {
    /// A picture with loss is shown whole when its eighth of the size is there, once more when three quarters of it are final,
    /// and when it is complete. Showing what is not final costs up to a whole decode the first time and a quarter of one the
    /// second, so there are no more. Rows of a picture without loss come from top to bottom, unless it is stored from coarse
    /// to fine: then it is shown when it is complete. Of a moving picture the first frame is shown.
    public func makePartialDecoder(
        limits: DecodeLimits, optionsFor options: @escaping (ImageInfo) -> DecodeOptions,
        into makeSink: @escaping (ImageInfo) throws -> any RowSink
    ) -> any PartialDecoder {
        JXLPartialDecoder(limits: limits, options: options, makeSink: makeSink)
    }
}

private final class JXLPartialDecoder: PartialDecoder {
    /// What can be shown of the first frame.
    private enum Stage {
        /// Nothing but the rows that are final.
        case rows
        /// All of it, roughly.
        case coarse
        case whole
    }

    private let limits: DecodeLimits
    private let options: (ImageInfo) -> DecodeOptions
    private let makeSink: (ImageInfo) throws -> any RowSink
    private var fresh = FreshBytes()
    private var reader: JXLReader?
    /// How many bytes libjxl has taken.
    private var taken = 0
    private var picture: JXLPartialPicture?
    private var stage = Stage.rows
    private var isOver = false

    init(
        limits: DecodeLimits, options: @escaping (ImageInfo) -> DecodeOptions,
        makeSink: @escaping (ImageInfo) throws -> any RowSink
    ) {
        self.limits = limits
        self.options = options
        self.makeSink = makeSink
    }

    func update(_ bytes: UnsafeRawBufferPointer) throws -> PartialProgress? {
        guard !isOver else { return nil }
        do {
            try limits.check(inputBytes: bytes.count)
            guard fresh.areEnough(at: bytes.count) else { return nil }
            let reader = try self.reader ?? makeReader()
            self.reader = reader
            try read(bytes, reader)
            return try look()
        } catch {
            end()
            throw error
        }
    }

    private func end() {
        isOver = true
        picture = nil
        reader = nil
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
                try limits.check(reader.size, format: .jpegXL)
            case JXL_DEC_COLOR_ENCODING:
                reader.readColor()
                let info = reader.imageInfo
                picture = try JXLPartialPicture(reader, info, options: options(info), into: makeSink)
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
        case .rows: return try picture?.takeRows()
        case .coarse: return try picture?.flush()
        case .whole:
            defer { end() }
            return try picture?.finish()
        }
    }
}
#endif
