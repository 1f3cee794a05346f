/// What becomes of a picture's colours when it is decoded.
public enum ColorHandling: UInt8, Hashable, Sendable {
    /// Converted to sRGB: by the profile or the code points that the file carries, perceptual intent with black point
    /// compensation.
    ///
    /// PQ and HLG become light as ITU-R BT.2100 says, HLG on a display of 1,000 cd/m², and are brought down to a white of
    /// 203 cd/m², the reference white of BT.2408, by the curve of BT.2390 §5.4 on the brightest of the three colours: up to
    /// 88 cd/m² nothing changes, above that everything bends towards white. The curve starts from the luminance that the
    /// file names, else from 1,000 cd/m². Colours that sRGB does not have become greyer until they fit.
    case sRGB
    /// Left as the file has them; ``ImageInfo/decodedColor(_:)`` says what they are. Inks become sRGB all the same: a
    /// bitmap has no channels for them.
    case keep
}

/// How many bits a decoded channel has.
public enum DecodedDepth: UInt8, Hashable, Sendable {
    /// Eight bits, rounded from whatever the file has.
    case eightBits
    /// As many as the file needs: 16-bit whole numbers for 9 to 16 bits, 32-bit floats for floats.
    ///
    /// PNG, TIFF, AVIF, HEIF, JPEG XL and the sensors of RAW have them. Eight bits come all the same of a TIFF whose planes
    /// stand one after the other, and of a HEIF whose colours are stored multiplied by alpha.
    case asStored
}
