#if PNG
import ByteBuffers
import CPNGShim

/// What is written beside a PNG's pixels.
struct PNGMetadataData {
    private let profile: Bytes?
    private let codePoints: [UInt8]
    private let exif: Bytes?
    private let xmp: Bytes?

    /// - Throws: ``CodingError`` with `unsupportedFeature` for colours that cannot be named.
    init(_ options: EncodeOptions) throws(CodingError) {
        exif = options.exif()
        xmp = options.xmp
        if case .codePoints(let codes) = options.color.simplified {
            // Pixels are RGB and use all values, whatever the file had that they came from.
            codePoints = [codes.primaries, codes.transfer, 0, 1]
            profile = nil
        } else {
            codePoints = []
            profile = try options.profile(for: .png)
        }
    }

    /// Calls `body` with pieces that are there until it returns.
    func withPieces<Result>(_ body: (inout cpng_metadata) -> Result) -> Result {
        func piece(_ bytes: UnsafeRawBufferPointer) -> cpng_piece {
            cpng_piece(bytes: bytes.isEmpty ? nil : bytes.baseAddress, count: bytes.count)
        }
        let (profile, exif, xmp) = (profile ?? Bytes(), exif ?? Bytes(), xmp ?? Bytes())
        return profile.withUnsafeBytes { profile in
            codePoints.withUnsafeBytes { codePoints in
                exif.withUnsafeBytes { exif in
                    xmp.withUnsafeBytes { xmp in
                        var metadata = cpng_metadata(
                            profile: piece(profile), code_points: piece(codePoints), exif: piece(exif), xmp: piece(xmp))
                        return body(&metadata)
                    }
                }
            }
        }
    }
}
#endif
