#if TIFF
import CTIFFShim
import Pixels

/// A page of a TIFF as libtiff reads it. The bytes have to outlive it.
struct TIFFPage: ~Copyable {
    /// TIFF 6.0 §8 and §16: what the samples mean.
    private enum Photometric {
        static let minIsWhite: UInt16 = 0
        static let minIsBlack: UInt16 = 1
        static let rgb: UInt16 = 2
        static let separated: UInt16 = 5
    }

    let file: OpaquePointer
    private(set) var header: ctiff_header

    /// - Parameters:
    ///   - largestAllocation: the most bytes that libtiff may ask for in one piece.
    ///   - offset: that of the page, `nil` for the first.
    init(
        _ bytes: UnsafeRawBufferPointer, largestAllocation: Int, offset: UInt64? = nil
    ) throws(CodingError) {
        guard let file = ctiff_open(bytes.baseAddress, bytes.count, largestAllocation) else {
            throw CodingError(.outOfMemory, "There is no memory to open the TIFF.", format: .tiff)
        }
        var header = ctiff_header()
        var status = offset.map { ctiff_go_to_page(file, $0) } ?? CTIFF_OK
        if status == CTIFF_OK { status = ctiff_read_header(file, &header) }
        guard status == CTIFF_OK else {
            defer { ctiff_close(file) }
            throw Self.error(status, file)
        }
        self.file = file
        self.header = header
    }

    deinit { ctiff_close(file) }

    /// Where the page is in the file.
    var offset: UInt64 { ctiff_page_offset(file) }

    /// Becomes the page behind this one; `false` behind the last.
    mutating func advance() throws(CodingError) -> Bool {
        let status = ctiff_next_page(file)
        if status == CTIFF_END { return false }
        try check(status)
        try check(ctiff_read_header(file, &header))
        return true
    }

    var size: PixelSize { PixelSize(width: Int(header.width), height: Int(header.height)) }

    var orientation: Orientation { Orientation(exif: Int(header.orientation)) }

    var color: ColorDescription {
        var profile: UnsafeRawPointer?
        let count = ctiff_profile(file, &profile)
        guard count > 0 else { return .unspecified }
        return ColorDescription(profile: UnsafeRawBufferPointer(start: profile, count: count))
    }

    var hasAlpha: Bool {
        header.extra_samples > 0 && (header.first_extra == 1 || header.first_extra == 2 || isUnnamedFourth)
    }

    /// Colours are stored multiplied by alpha.
    var isPremultiplied: Bool { hasAlpha && header.first_extra != 2 }

    /// A fourth sample that nobody named: readers take it for alpha, as libtiff itself does.
    private var isUnnamedFourth: Bool { header.photometric == Photometric.rgb && header.samples == 4 }

    var isInverted: Bool { header.photometric == Photometric.minIsWhite }

    /// What a row of samples looks like when it can be read without libtiff's own conversion to RGBA; `nil` for palettes,
    /// fewer bits than 8, planes one after the other, and colours of another kind.
    var layout: SampleLayout? {
        guard header.is_contiguous != 0 else { return nil }
        let component: PixelFormat.Component
        switch (header.bits, header.sample_format) {
        case (8, 1): component = .uint8
        case (16, 1): component = .uint16
        case (32, 3): component = .float32
        default: return nil
        }
        let channels: SampleLayout.Channels
        switch (header.photometric, header.samples) {
        case (Photometric.minIsBlack, 1), (Photometric.minIsWhite, 1): channels = .gray
        case (Photometric.minIsBlack, 2) where header.first_extra == 2: channels = .grayAlpha
        case (Photometric.rgb, 3): channels = .rgb
        case (Photometric.rgb, 4): channels = hasAlpha ? .rgba : .rgbx
        case (Photometric.separated, 4) where header.ink_set == 1: channels = .inks
        default: return nil
        }
        if isInverted, component == .float32 { return nil }
        return SampleLayout(channels: channels, component: component)
    }

    func check(_ status: ctiff_status) throws(CodingError) {
        guard status == CTIFF_OK else { throw Self.error(status, file) }
    }

    static func error(_ status: ctiff_status, _ file: OpaquePointer) -> CodingError {
        let message = String(cString: ctiff_message(file))
        if status == CTIFF_NO_MEMORY {
            return CodingError(.tooComplex, "The TIFF needs more memory than is allowed: \(message)", format: .tiff)
        }
        if message.contains("an not handle") || message.contains("not configured") {
            return CodingError(.unsupportedFeature, "libtiff does not support this TIFF: \(message)", format: .tiff)
        }
        // libtiff tells the end of the file in many sentences; these words are common to them.
        let isCut = ["ead error", "got ", "ot enough data", "Can not read", "Cannot read", "remature"].contains {
            message.contains($0)
        }
        let text = message.isEmpty ? "libtiff cannot read it." : "\(message)"
        return isCut
            ? CodingError(.truncated, "The TIFF ends before the picture does: \(text)", format: .tiff)
            : CodingError(.malformed, "The TIFF is damaged: \(text)", format: .tiff)
    }
}
#endif
