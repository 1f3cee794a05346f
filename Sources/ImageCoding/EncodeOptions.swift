/// How one picture is encoded.
public struct EncodeOptions: Hashable, Sendable {
    /// From 1, smallest, to 100, best. Default 80. Formats without loss do not look at it. Values outside are clamped.
    public var quality: Int
    /// Passes from coarse to fine, where the format has them. Default `false`: a progressive JPEG is a few percent
    /// smaller and takes several times longer to encode and to decode.
    public var isProgressive: Bool

    public init(quality: Int = 80, isProgressive: Bool = false) {
        self.quality = min(max(quality, 1), 100)
        self.isProgressive = isProgressive
    }
}
