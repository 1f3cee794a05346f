import ByteBuffers
import Pixels

extension EncodeOptions {
    /// EXIF to write: what is kept, upright and without its old thumbnail, and the new one.
    ///
    /// What is no TIFF structure is written as it is: then nothing in it can be changed.
    func exif(thumbnail: Bytes? = nil) -> Bytes? {
        guard metadata?.exif != nil || thumbnail != nil else { return nil }
        guard var editor = metadata?.exif.map(ExifEditor.init(_:)) ?? ExifEditor.upright() else {
            return metadata?.exif
        }
        editor.setUpright()
        editor.removeThumbnail()
        if let thumbnail { editor.append(thumbnail: thumbnail) }
        return Bytes(editor.bytes)
    }

    /// The same for formats that take nothing but a TIFF structure; `nil` for anything else.
    func structuredExif() -> Bytes? {
        exif().flatMap { exif in exif.withUnsafeBytes { TIFFReader($0) == nil } ? nil : exif }
    }

    /// XMP to write, with the orientation made upright.
    var xmp: Bytes? {
        guard let xmp = metadata?.xmp else { return nil }
        guard let digit = xmp.withUnsafeBytes({ XMPPacket($0).orientationDigit }) else { return xmp }
        var bytes = xmp.array
        bytes[digit] = UInt8(ascii: "1")
        return Bytes(bytes)
    }

    /// The profile to write; `nil` for sRGB, which is what every format means without one.
    ///
    /// - Throws: ``CodingError`` with `unsupportedFeature` for a profile that does not describe red, green and blue, and for
    ///   colours that no profile can be made of.
    func profile(for format: ImageFormat) throws(CodingError) -> Bytes? {
        switch color.simplified {
        case .sRGB, .unspecified: return nil
        case .icc(let profile) where profile.space == .rgb: return profile.bytes
        case .icc:
            throw CodingError(
                .unsupportedFeature, "The profile does not describe red, green and blue, which the pixels are.",
                format: format)
        case .codePoints, .calibrated:
            #if LCMS
            if let bytes = color.makeProfile() { return bytes }
            #endif
            throw CodingError(
                .unsupportedFeature, "\(format) names colours by a profile, and none can be made for these.",
                format: format)
        }
    }

    /// The numbers of an `nclx` box: what the colours are, where no profile says it, and by which matrix they are stored.
    var storedCodePoints: ColorCodePoints {
        var codes: ColorCodePoints
        switch color.simplified {
        case .sRGB, .unspecified: codes = ColorCodePoints(primaries: 1, transfer: 13)
        case .codePoints(let named): codes = named
        case .icc, .calibrated: codes = ColorCodePoints(primaries: 2, transfer: 2)
        }
        // Red, green and blue as they are, BT.2020's matrix for its own primaries, BT.601's as JPEG has it.
        codes.matrix = isLossless ? 0 : codes.primaries == 9 ? 9 : 6
        codes.isFullRange = true
        return codes
    }

    /// The profile for formats that have code points too, which say what they can.
    func profileBesideCodePoints(for format: ImageFormat) throws(CodingError) -> Bytes? {
        if case .codePoints = color.simplified { return nil }
        return try profile(for: format)
    }
}
