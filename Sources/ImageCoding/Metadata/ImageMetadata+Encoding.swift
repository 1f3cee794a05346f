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
}
