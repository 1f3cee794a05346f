public import ByteBuffers
public import Pixels

/// What a file says beside its pixels, as it stands there. Nothing is checked but its length.
public struct ImageMetadata: Hashable, Sendable {
    /// Longer pieces are passed over. JPEG has no room for more than 64 KiB each, other formats do.
    public static let maximumByteCount = 4 << 20

    /// EXIF (CIPA DC-008): a TIFF structure, from its byte order mark on.
    public var exif: Bytes?
    /// An XMP packet (ISO 16684-1): RDF in XML, as UTF-8.
    public var xmp: Bytes?
    /// What a JPEG had no room for in ``xmp``: RDF in XML of its own (extended XMP, ISO 16684-3 §1.1.3.1), to be read beside
    /// it. Only a JPEG has a place for it; other encoders leave it out.
    public var extendedXMP: Bytes?
    /// The ICC profile. An encoder writes ``EncodeOptions/color`` instead: pixels may have been converted since.
    public var profile: ICCProfile?

    public init(
        exif: Bytes? = nil, xmp: Bytes? = nil, extendedXMP: Bytes? = nil, profile: ICCProfile? = nil
    ) {
        self.exif = exif
        self.xmp = xmp
        self.extendedXMP = extendedXMP
        self.profile = profile
    }

    public var isEmpty: Bool { exif == nil && xmp == nil && extendedXMP == nil && profile == nil }

    /// The orientation of EXIF; of XMP where EXIF does not say; `nil` where neither does.
    public var orientation: Orientation? {
        exif?.withUnsafeBytes(ExifOrientation.read(fromTIFF:)) ?? xmp?.withUnsafeBytes { XMPPacket($0).orientation }
    }

    /// The small JPEG that EXIF may carry.
    public var thumbnail: Bytes? {
        guard let exif, let range = exif.withUnsafeBytes(ExifThumbnail.range(inTIFF:)) else { return nil }
        return exif[range]
    }
}

extension ImageMetadata {
    /// Copies pieces of a file; what is too long, or does not fit into memory, is left out.
    init(copyingExif exif: UnsafeRawBufferPointer?, xmp: UnsafeRawBufferPointer?, profile: ICCProfile?) {
        func copy(_ piece: UnsafeRawBufferPointer?) -> Bytes? {
            guard let piece, !piece.isEmpty, piece.count <= Self.maximumByteCount else { return nil }
            return try? Bytes(copying: piece)
        }
        self.init(exif: copy(exif), xmp: copy(xmp), profile: profile)
    }
}
