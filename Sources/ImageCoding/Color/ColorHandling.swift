/// What becomes of a picture's colours when it is decoded.
public enum ColorHandling: UInt8, Hashable, Sendable {
    /// Converted to sRGB: by the profile or the code points that the file carries, perceptual intent with black point
    /// compensation. PQ and HLG are tone-mapped to a white of 203 cd/m² (see ``ToneMapping``).
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
    case asStored
}
