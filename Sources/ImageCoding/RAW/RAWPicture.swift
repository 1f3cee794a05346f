#if RAW
import CLibRaw
import Pixels

/// A camera's picture as LibRaw reads it. The bytes have to outlive it.
struct RAWPicture: ~Copyable {
    private let raw: UnsafeMutablePointer<libraw_data_t>
    /// Of the developed picture, before it is turned.
    let size: PixelSize
    let orientation: Orientation

    /// Reads the header.
    ///
    /// - Parameters:
    ///   - isHalf: each four of the sensor's points make one pixel.
    ///   - isDeep: 16 bits a channel instead of 8.
    ///   - maxPixels: bounds the memory that LibRaw may take for the sensor's points.
    init(
        _ bytes: UnsafeRawBufferPointer, isHalf: Bool = false, isDeep: Bool = false, maxPixels: Int
    ) throws(CodingError) {
        clibraw_use_one_thread()
        guard let raw = libraw_init(0) else {
            throw CodingError(.outOfMemory, "There is no memory to open the raw picture.", format: .raw)
        }
        // LibRaw only reads them.
        let memory = UnsafeMutableRawPointer(mutating: bytes.baseAddress)
        // Its turn is read before the one that is asked for hides it.
        let status = libraw_open_buffer(raw, memory, bytes.count)
        let flip = clibraw_flip(raw)
        clibraw_configure(
            raw, isHalf ? 1 : 0, isDeep ? 1 : 0, UInt32(clamping: max(64, min(maxPixels, 1 << 31) >> 17)))
        guard status == 0 else {
            libraw_close(raw)
            throw Self.error(status)
        }
        self.raw = raw
        let points = PixelSize(width: Int(clibraw_width(raw)), height: Int(clibraw_height(raw)))
        size = isHalf ? PixelSize(width: (points.width + 1) / 2, height: (points.height + 1) / 2) : points
        // LibRaw's bits: 1 mirrors left to right, 2 top to bottom, 4 exchanges rows and columns afterwards.
        orientation =
            switch flip {
            case 1: .upMirrored
            case 2: .downMirrored
            case 3: .down
            case 4: .leftMirrored
            case 5: .left
            case 6: .right
            case 7: .rightMirrored
            default: .up
            }
    }

    deinit { libraw_close(raw) }

    /// The embedded preview's size, as far as the header tells it.
    var previewSize: PixelSize {
        PixelSize(width: Int(clibraw_thumbnail_width(raw)), height: Int(clibraw_thumbnail_height(raw)))
    }

    /// The embedded preview: a JPEG file, or RGB.
    func preview() throws(CodingError) -> RAWImage {
        try check(libraw_unpack_thumb(raw))
        var status: Int32 = 0
        let image = libraw_dcraw_make_mem_thumb(raw, &status)
        guard let image else { throw Self.error(status) }
        return RAWImage(image)
    }

    /// Develops the picture.
    func develop() throws(CodingError) -> RAWImage {
        try check(libraw_unpack(raw))
        try check(libraw_dcraw_process(raw))
        var status: Int32 = 0
        let image = libraw_dcraw_make_mem_image(raw, &status)
        guard let image else { throw Self.error(status) }
        return RAWImage(image)
    }

    private func check(_ status: Int32) throws(CodingError) {
        guard status == 0 else { throw Self.error(status) }
    }

    private static func error(_ status: Int32) -> CodingError {
        let text = libraw_strerror(status).map { String(cString: $0) } ?? "\(status)"
        switch LibRaw_errors(rawValue: LibRaw_errors.RawValue(truncatingIfNeeded: status)) {
        case LIBRAW_UNSUFFICIENT_MEMORY:
            return CodingError(.outOfMemory, "There is no memory for the raw picture.", format: .raw)
        case LIBRAW_TOO_BIG:
            return CodingError(.tooManyPixels, "The raw picture needs more memory than is allowed.", format: .raw)
        case LIBRAW_FILE_UNSUPPORTED:
            return CodingError(
                .unsupportedFeature, "LibRaw does not know this camera's files: \(text).", format: .raw)
        case LIBRAW_IO_ERROR, LIBRAW_DATA_ERROR:
            return CodingError(.truncated, "The raw picture is cut off or damaged: \(text).", format: .raw)
        default:
            return CodingError(.malformed, "The raw picture is damaged: LibRaw says \(text).", format: .raw)
        }
    }
}

/// What LibRaw made, in its memory.
struct RAWImage: ~Copyable {
    private let image: UnsafeMutablePointer<libraw_processed_image_t>

    init(_ image: UnsafeMutablePointer<libraw_processed_image_t>) {
        self.image = image
    }

    deinit { libraw_dcraw_clear_mem(image) }

    var size: PixelSize { PixelSize(width: Int(image.pointee.width), height: Int(image.pointee.height)) }

    var isJPEG: Bool { image.pointee.type == LIBRAW_IMAGE_JPEG }

    /// How rows are laid out; `nil` for anything but red, green and blue, or grey, of 8 or 16 bits.
    var layout: SampleLayout? {
        guard !isJPEG, image.pointee.colors == 3 || image.pointee.colors == 1 else { return nil }
        let channels: SampleLayout.Channels = image.pointee.colors == 3 ? .rgb : .gray
        switch image.pointee.bits {
        case 8: return SampleLayout(channels: channels, component: .uint8)
        case 16: return SampleLayout(channels: channels, component: .uint16)
        default: return nil
        }
    }

    /// A JPEG file, or rows without padding.
    var bytes: UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(start: clibraw_image_bytes(image), count: Int(image.pointee.data_size))
    }
}
#endif
