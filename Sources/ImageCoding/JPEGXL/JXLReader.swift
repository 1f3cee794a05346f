#if JPEGXL
import ByteBuffers
import CJXL
import Pixels

/// A JPEG XL picture as libjxl reads it from front to back. The bytes have to outlive it.
// Unchecked: used by the one thread that made it, or under the lock of `JXLFrames`.
final class JXLReader: @unchecked Sendable {
    let decoder: OpaquePointer
    /// The frame that libjxl comes to next; `nil` where it went wrong and has to start anew.
    private var nextFrame: Int? = 0
    /// All bytes, to start anew with; `nil` where they come in parts.
    private var file: UnsafeRawBufferPointer?
    private(set) var info = JxlBasicInfo()
    private(set) var color = ColorDescription.unspecified

    /// Reads up to the colours; no pixels.
    convenience init(_ bytes: UnsafeRawBufferPointer, events: JxlDecoderStatus) throws(CodingError) {
        try self.init(events: events.rawValue)
        file = bytes
        try setWholeInput()
        guard try next() == JXL_DEC_BASIC_INFO else { throw Self.damaged }
        try readBasicInfo()
        guard try next() == JXL_DEC_COLOR_ENCODING else { throw Self.damaged }
        readColor()
    }

    /// A reader that has no bytes yet.
    ///
    /// - Parameter events: what to stop at besides the basic header and the colours.
    init(events: UInt32) throws(CodingError) {
        guard let decoder = JxlDecoderCreate(nil) else { throw Self.outOfMemory }
        self.decoder = decoder
        let wanted = JXL_DEC_BASIC_INFO.rawValue | JXL_DEC_COLOR_ENCODING.rawValue | events
        guard JxlDecoderSubscribeEvents(decoder, Int32(wanted)) == JXL_DEC_SUCCESS,
            JxlDecoderSetKeepOrientation(decoder, 1) == JXL_DEC_SUCCESS,
            JxlDecoderSetUnpremultiplyAlpha(decoder, 1) == JXL_DEC_SUCCESS
        else { throw Self.damaged }
    }

    deinit { JxlDecoderDestroy(decoder) }

    private func setWholeInput() throws(CodingError) {
        guard let file else { throw Self.damaged }
        try setInput(file)
        JxlDecoderCloseInput(decoder)
    }

    static var outOfMemory: CodingError {
        CodingError(.outOfMemory, "There is no memory for the JPEG XL.", format: .jpegXL)
    }

    static var damaged: CodingError {
        CodingError(.malformed, "The JPEG XL is damaged: libjxl cannot decode it.", format: .jpegXL)
    }

    var size: PixelSize { PixelSize(width: Int(info.xsize), height: Int(info.ysize)) }

    /// libjxl numbers orientations as EXIF does.
    var orientation: Orientation { Orientation(exif: Int(info.orientation.rawValue)) }

    /// What the header says; of a moving picture not how many frames there are.
    var imageInfo: ImageInfo {
        ImageInfo(
            format: .jpegXL, storedSize: size, orientation: orientation, hasAlpha: hasAlpha,
            frameCount: info.have_animation != 0 ? nil : 1, color: color, bitsPerComponent: bitsPerComponent)
    }

    var hasAlpha: Bool { info.alpha_bits > 0 }

    var bitsPerComponent: Int { Int(info.bits_per_sample) }

    /// The number type that loses nothing.
    var component: PixelFormat.Component {
        if info.exponent_bits_per_sample > 0 || info.bits_per_sample > 16 { return .float32 }
        return info.bits_per_sample > 8 ? .uint16 : .uint8
    }

    var isMoving: Bool { info.have_animation != 0 }

    /// How often the animation plays in all; 0 for ever.
    var loopCount: Int { Int(info.animation.num_loops) }

    /// Walks over the frames without decoding them; `nil` when the file is cut off or damaged behind the header.
    func countFrames() -> Int? {
        guard isMoving else { return 1 }
        var count = 0
        while let event = try? next() {
            if event == JXL_DEC_SUCCESS { return count }
            count += 1
        }
        return nil
    }

    /// How long the next frame is shown; frames that are only drawn on are not told. `nil` behind the last one. For a reader
    /// of frames alone, without pixels.
    ///
    /// - Throws: ``CodingError`` also when the frame before this one is cut off.
    func nextDelay() throws(CodingError) -> Duration? {
        guard try next() != JXL_DEC_SUCCESS else { return nil }
        var header = JxlFrameHeader()
        guard JxlDecoderGetFrameHeader(decoder, &header) == JXL_DEC_SUCCESS else { throw Self.damaged }
        return Duration(
            ticks: header.duration, of: info.animation.tps_denominator, perTicks: info.animation.tps_numerator)
    }

    /// Makes ``decode(_:into:)`` give a frame: the next one at once, one behind it after those between that it is made of,
    /// an earlier one from the start of the file. After the first time libjxl knows which frames need which.
    func seek(frame index: Int) throws(CodingError) {
        var next = nextFrame
        if next.map({ $0 > index }) ?? true {
            JxlDecoderRewind(decoder)
            let events = Int32(JXL_DEC_FULL_IMAGE.rawValue)
            guard JxlDecoderSubscribeEvents(decoder, events) == JXL_DEC_SUCCESS else { throw Self.damaged }
            try setWholeInput()
            next = 0
        }
        if let next, index > next { JxlDecoderSkipFrames(decoder, index - next) }
        nextFrame = index
    }

    /// Decodes the next frame, laid on the canvas, as straight RGBA.
    func decode(_ component: PixelFormat.Component, into target: RowStrip) throws(CodingError) {
        let format = Self.rows(of: component)
        let room = JXLRoom(target, size: size, bytesPerPixel: 4 * component.byteCount)
        let frame = nextFrame
        nextFrame = nil
        let status = try withExtendedLifetime(room) { () throws(CodingError) -> JxlDecoderStatus in
            while true {
                let event = try next()
                guard event == JXL_DEC_NEED_IMAGE_OUT_BUFFER else { return event }
                try setOutput(room, format)
            }
        }
        guard status == JXL_DEC_FULL_IMAGE else { throw Self.damaged }
        nextFrame = frame.map { $0 + 1 }
    }

    /// Gives libjxl the rows themselves where it can step from one to the next. It hands pixels on a third more slowly.
    private func setOutput(_ room: JXLRoom, _ format: JxlPixelFormat) throws(CodingError) {
        var format = format
        let status: JxlDecoderStatus
        if let alignment = room.alignment {
            format.align = alignment
            status = JxlDecoderSetImageOutBuffer(decoder, &format, room.target.base, room.byteCount)
        } else {
            status = JxlDecoderSetImageOutCallback(
                decoder, &format, JXLRoom.write, Unmanaged.passUnretained(room).toOpaque())
        }
        guard status == JXL_DEC_SUCCESS else { throw Self.damaged }
    }

    /// Rows of four channels, one right behind the other.
    static func rows(of component: PixelFormat.Component) -> JxlPixelFormat {
        let type: JxlDataType =
            switch component {
            case .uint8: JXL_TYPE_UINT8
            case .uint16: JXL_TYPE_UINT16
            case .float32: JXL_TYPE_FLOAT
            }
        return JxlPixelFormat(num_channels: 4, data_type: type, endianness: JXL_NATIVE_ENDIAN, align: 0)
    }

    /// The bytes have to stay where they are until they are taken back, or the reader is gone.
    func setInput(_ bytes: UnsafeRawBufferPointer) throws(CodingError) {
        guard
            JxlDecoderSetInput(decoder, bytes.baseAddress?.assumingMemoryBound(to: UInt8.self), bytes.count)
                == JXL_DEC_SUCCESS
        else { throw Self.damaged }
    }

    func readBasicInfo() throws(CodingError) {
        guard JxlDecoderGetBasicInfo(decoder, &info) == JXL_DEC_SUCCESS else { throw Self.damaged }
    }

    func readColor() { color = storedColor() }

    private func next() throws(CodingError) -> JxlDecoderStatus {
        let status = JxlDecoderProcessInput(decoder)
        if status == JXL_DEC_ERROR { throw Self.damaged }
        if status == JXL_DEC_NEED_MORE_INPUT {
            throw CodingError(.truncated, "The JPEG XL ends before the picture does.", format: .jpegXL)
        }
        return status
    }

    /// What the decoded pixels are, which for a picture stored in libjxl's own colours is what libjxl makes of them.
    private func storedColor() -> ColorDescription {
        var encoding = JxlColorEncoding()
        if JxlDecoderGetColorAsEncodedProfile(decoder, nil, JXL_COLOR_PROFILE_TARGET_DATA, &encoding)
            == JXL_DEC_SUCCESS,
            let codes = ColorDescription(encoding)
        {
            return codes
        }
        return profile(JXL_COLOR_PROFILE_TARGET_DATA).map { ColorDescription.icc($0).simplified } ?? .unspecified
    }

    /// The profile that the picture was made from, or what libjxl writes in its place; `nil` when code points name the
    /// colours.
    var storedProfile: ICCProfile? {
        var encoding = JxlColorEncoding()
        let isNamed =
            JxlDecoderGetColorAsEncodedProfile(decoder, nil, JXL_COLOR_PROFILE_TARGET_ORIGINAL, &encoding)
            == JXL_DEC_SUCCESS && ColorDescription(encoding) != nil
        return isNamed ? nil : profile(JXL_COLOR_PROFILE_TARGET_ORIGINAL)
    }

    private func profile(_ target: JxlColorProfileTarget) -> ICCProfile? {
        var count = 0
        guard JxlDecoderGetICCProfileSize(decoder, nil, target, &count) == JXL_DEC_SUCCESS,
            count > 0, count <= ICCProfile.maximumByteCount
        else { return nil }
        let bytes = try? Bytes(capacity: count) { room in
            let room = room.bindMemory(to: UInt8.self)
            return JxlDecoderGetColorAsICCProfile(decoder, nil, target, room.baseAddress, count) == JXL_DEC_SUCCESS
                ? count : 0
        }
        return bytes.flatMap(ICCProfile.init)
    }
}

/// Where libjxl's runs of pixels go.
private final class JXLRoom {
    let target: RowStrip
    private let size: PixelSize
    private let bytesPerPixel: Int

    init(_ target: RowStrip, size: PixelSize, bytesPerPixel: Int) {
        self.target = target
        self.size = size
        self.bytesPerPixel = bytesPerPixel
    }

    /// What the rows' bytes are rounded up to, as far as a power of two tells; `nil` where the gap is another, or rows lack.
    var alignment: Int? {
        guard target.rowCount >= size.height else { return nil }
        let row = size.width * bytesPerPixel
        return (0...12).lazy.map { 1 << $0 }.first { (row + $0 - 1) & -$0 == self.target.bytesPerRow }
    }

    /// libjxl wants to hear of the last row's gap too, although it writes into none.
    var byteCount: Int { size.height * target.bytesPerRow }

    static let write: JxlImageOutCallback = { room, x, y, count, pixels in
        guard let room, let pixels else { return }
        Unmanaged<JXLRoom>.fromOpaque(room).takeUnretainedValue().write(pixels, x: x, y: y, count: count)
    }

    private func write(_ pixels: UnsafeRawPointer, x: Int, y: Int, count: Int) {
        guard 0..<size.height ~= y, x >= 0, x <= size.width, count >= 0, count <= size.width - x else { return }
        (target.base + y * target.bytesPerRow + x * bytesPerPixel)
            .copyMemory(from: pixels, byteCount: count * bytesPerPixel)
    }
}

extension ColorDescription {
    /// libjxl numbers primaries and curves as H.273 does. `nil` for what has no number there.
    fileprivate init?(_ encoding: JxlColorEncoding) {
        guard encoding.white_point == JXL_WHITE_POINT_D65, encoding.transfer_function != JXL_TRANSFER_FUNCTION_GAMMA,
            encoding.transfer_function != JXL_TRANSFER_FUNCTION_UNKNOWN
        else { return nil }
        let isGray = encoding.color_space == JXL_COLOR_SPACE_GRAY
        guard isGray || encoding.color_space == JXL_COLOR_SPACE_RGB else { return nil }
        let primaries: Int
        switch encoding.primaries {
        case _ where isGray: primaries = 1
        case JXL_PRIMARIES_SRGB: primaries = 1
        case JXL_PRIMARIES_2100: primaries = 9
        // 11 means the cinema's white in H.273, and 12 D65.
        case JXL_PRIMARIES_P3: primaries = 12
        default: return nil
        }
        self.init(
            primaries: primaries, transfer: Int(encoding.transfer_function.rawValue), matrix: 0, isFullRange: true)
    }
}
#endif
