extension CoderRegistry {
    /// The coders of this package.
    public static let standard = CoderRegistry(
        decoders: [
            JPEGDecoder(), PNGDecoder(), WebPDecoder(), GIFDecoder(),
        ],
        encoders: [
            JPEGEncoder(), PNGEncoder(), WebPEncoder(), GIFEncoder(),
        ])
}
