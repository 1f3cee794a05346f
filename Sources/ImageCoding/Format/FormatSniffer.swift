extension ImageFormat {
    /// Decides the format by the first bytes, never by a name or a media type. Reads nothing past the end.
    ///
    /// Whole signatures are compared, and containers are opened as far as is needed: a PNG's chunks up to its pixels, an
    /// ISO file's list of brands. One answer for the same bytes, whatever else they could pass for: a GIF that is also a
    /// script is a GIF. Bytes that were cut off may look like a simpler relative (a PNG whose animation chunk is missing
    /// yet), or like nothing known.
    public init(sniffing bytes: UnsafeRawBufferPointer) {
        let bytes = BoundedBytes(bytes)
        self =
            Self.rawPicture(bytes) ?? Self.byFixedSignature(bytes) ?? Self.png(bytes) ?? Self.webP(bytes)
            ?? Self.isoMedia(bytes)
            ?? Self.byPlausibleHeader(bytes) ?? Self.markup(bytes) ?? .unknown
    }

    /// Formats that a few fixed bytes tell apart.
    private static func byFixedSignature(_ bytes: BoundedBytes) -> ImageFormat? {
        fixedSignatures.first { bytes.starts(with: $0.signature) }?.format
    }

    private static let fixedSignatures: [(format: ImageFormat, signature: [UInt8])] = [
        (.jpeg, [0xFF, 0xD8, 0xFF]),
        (.gif, Array("GIF87a".utf8)),
        (.gif, Array("GIF89a".utf8)),
        (.tiff, [0x49, 0x49, 0x2A, 0x00]),
        (.tiff, [0x4D, 0x4D, 0x00, 0x2A]),
        // BigTIFF says after its own number how wide its offsets are: always 8 bytes.
        (.tiff, [0x49, 0x49, 0x2B, 0x00, 0x08, 0x00, 0x00, 0x00]),
        (.tiff, [0x4D, 0x4D, 0x00, 0x2B, 0x00, 0x08, 0x00, 0x00]),
        (.jpegXL, [0xFF, 0x0A]),
        (.jpegXL, [0x00, 0x00, 0x00, 0x0C, 0x4A, 0x58, 0x4C, 0x20, 0x0D, 0x0A, 0x87, 0x0A]),
        (.pdf, Array("%PDF-".utf8)),
    ]

    /// Formats with so short a signature that the fields behind it have to make sense too.
    private static func byPlausibleHeader(_ bytes: BoundedBytes) -> ImageFormat? {
        if bytes.has("BM", at: 0), let header = bytes.littleEndian32(at: 14) {
            // The sizes of every header that Windows and OS/2 have had.
            return [12, 16, 40, 52, 56, 64, 108, 124].contains(header) ? .bmp : nil
        }
        if bytes.starts(with: [0x00, 0x00, 0x01, 0x00]) {
            return hasIconDirectory(bytes) ? .ico : nil
        }
        if bytes.starts(with: [0x00, 0x00, 0x02, 0x00]) {
            return hasDirectory(bytes) ? .cur : nil
        }
        return nil
    }

    /// The first of an icon file's entries also claims a possible pixel depth.
    private static func hasIconDirectory(_ bytes: BoundedBytes) -> Bool {
        guard let planes = bytes.littleEndian16(at: 10), let depth = bytes.littleEndian16(at: 12) else { return false }
        return planes <= 1 && depth <= 32 && hasDirectory(bytes)
    }

    /// The first of an icon's or a cursor's entries points behind the directory.
    private static func hasDirectory(_ bytes: BoundedBytes) -> Bool {
        guard let count = bytes.littleEndian16(at: 4), let reserved = bytes[9],
            let length = bytes.littleEndian32(at: 14), let offset = bytes.littleEndian32(at: 18)
        else { return false }
        return count > 0 && reserved == 0 && length > 0 && offset >= 6 + 16 * count
    }
}
