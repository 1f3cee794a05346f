import Pixels

/// The header of a device-independent bitmap, of any age, as a BMP file and an icon have it.
///
/// By its length: 12 and 16 or 64 bytes are OS/2's first and second, 40 is Windows' first, 52 and 56 add masks, 108 and
/// 124 are versions 4 and 5.
struct BMPHeader {
    enum Compression: Int {
        case none = 0
        case runs8 = 1
        case runs4 = 2
        case masks = 3
        case masksWithAlpha = 6
    }

    let size: PixelSize
    let isTopDown: Bool
    let bits: Int
    let compression: Compression
    let masks: BMPMasks?
    /// Where the palette starts, and the bytes of each of its colours.
    let palette: (start: Int, count: Int, entry: Int)
    /// Where the pixels start when no file header says it: behind the palette.
    let end: Int
    /// Where version 5 keeps a colour profile, counted from the header's start.
    let profile: Range<Int>?

    /// - Parameters:
    ///   - bytes: start at the header.
    ///   - isIcon: two pictures stand on top of each other, colours and mask, and 32 bits have alpha.
    init(_ bytes: BoundedBytes, isIcon: Bool = false, format: ImageFormat) throws(CodingError) {
        func cut() -> CodingError { CodingError(.truncated, "The file ends in the bitmap's header.", format: format) }
        guard let length = bytes.littleEndian32(at: 0) else { throw cut() }
        guard [12, 16, 40, 52, 56, 64, 108, 124].contains(length) else {
            throw CodingError(.malformed, "A bitmap's header has no \(length) bytes.", format: format)
        }
        guard bytes.count >= length else { throw cut() }
        var (width, height, kind, used) = (0, 0, 0, 0)
        if length == 12 {
            width = bytes.littleEndian16(at: 4) ?? 0
            height = bytes.littleEndian16(at: 6) ?? 0
            bits = bytes.littleEndian16(at: 10) ?? 0
        } else {
            width = Int(Int32(truncatingIfNeeded: bytes.littleEndian32(at: 4) ?? 0))
            height = Int(Int32(truncatingIfNeeded: bytes.littleEndian32(at: 8) ?? 0))
            bits = bytes.littleEndian16(at: 14) ?? 0
            if length >= 40 {
                kind = bytes.littleEndian32(at: 16) ?? 0
                used = bytes.littleEndian32(at: 32) ?? 0
            }
        }
        guard let compression = Compression(rawValue: kind), length != 64 || kind < 3 else {
            throw CodingError(.unsupportedFeature, "A bitmap of compression \(kind) is not supported.", format: format)
        }
        let allowed: [Int] =
            switch compression {
            case .none: [1, 2, 4, 8, 16, 24, 32]
            case .runs8: [8]
            case .runs4: [4]
            case .masks, .masksWithAlpha: [16, 32]
            }
        let hasRuns = compression == .runs8 || compression == .runs4
        guard allowed.contains(bits), width > 0, height != 0, !(hasRuns && height < 0) else {
            throw CodingError(
                .malformed, "A bitmap of \(width) × \(height) pixels, \(bits) bits and compression \(kind) cannot be.",
                format: format)
        }
        self.compression = compression
        isTopDown = height < 0
        size = PixelSize(width: width, height: isIcon ? abs(height) / 2 : abs(height))

        // The first header keeps masks behind itself, later ones at the same place inside.
        var end = length
        if compression == .masks || compression == .masksWithAlpha {
            let hasAlpha = compression == .masksWithAlpha || length >= 56
            if length < 52 { end += compression == .masksWithAlpha ? 16 : 12 }
            guard bytes.count >= end else { throw cut() }
            masks = BMPMasks((0..<(hasAlpha ? 4 : 3)).map { UInt32(bytes.littleEndian32(at: 40 + $0 * 4) ?? 0) })
        } else if bits == 16 {
            masks = BMPMasks([0x7C00, 0x03E0, 0x001F])
        } else if bits == 32 {
            masks = BMPMasks([0x00FF_0000, 0x0000_FF00, 0x0000_00FF] + (isIcon ? [0xFF00_0000] : []))
        } else {
            masks = nil
        }
        let entry = length == 12 ? 3 : 4
        let count = bits > 8 ? 0 : used > 0 ? min(used, 1 << bits) : 1 << bits
        palette = (end, count, entry)
        self.end = end + (bits > 8 ? min(used, 256) : count) * entry
        profile = Self.profile(bytes, length)
    }

    private static func profile(_ bytes: BoundedBytes, _ length: Int) -> Range<Int>? {
        // "MBED", its bytes in a number of 32 bits.
        guard length == 124, bytes.littleEndian32(at: 56) == 0x4D42_4544, let start = bytes.littleEndian32(at: 112),
            let count = bytes.littleEndian32(at: 116), start <= bytes.count, count <= bytes.count - start
        else { return nil }
        return start..<start + count
    }

    /// Rows are filled up to four bytes.
    var bytesPerRow: Int { (size.width * bits + 31) / 32 * 4 }

    var hasAlpha: Bool { masks?.hasAlpha ?? false }
}

/// Which bits of a pixel are which colour.
struct BMPMasks {
    private let channels: [(mask: UInt32, shift: UInt32, highest: UInt32)]

    /// - Parameter masks: red, green, blue, and alpha where there may be some.
    init(_ masks: [UInt32]) {
        channels = masks.map { mask in
            let shift = mask == 0 ? 0 : UInt32(mask.trailingZeroBitCount)
            return (mask, shift, mask >> shift)
        }
    }

    var hasAlpha: Bool { channels.count > 3 && channels[3].mask != 0 }

    /// A channel of a pixel from 0 to 255; without a mask black, or opaque.
    @inline(__always)
    func value(_ channel: Int, of pixel: UInt32) -> UInt8 {
        guard channel < channels.count, channels[channel].highest > 0 else { return channel == 3 ? 255 : 0 }
        let (mask, shift, highest) = channels[channel]
        let value = UInt64((pixel & mask) >> shift)
        return UInt8(truncatingIfNeeded: (value * 255 + UInt64(highest / 2)) / UInt64(highest))
    }
}
