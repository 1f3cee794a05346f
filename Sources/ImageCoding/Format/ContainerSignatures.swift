/// Signatures of formats whose container has to be opened to tell two relatives apart.
extension ImageFormat {
    /// PNG, or APNG when an animation control chunk comes before the pixels (PNG 3rd ed. §11.3.6.1).
    static func png(_ bytes: BoundedBytes) -> ImageFormat? {
        guard let chunks = PNGChunks(bytes) else { return nil }
        for chunk in chunks {
            if chunk.type == .pixels { return .png }
            if chunk.type == .animationControl { return .apng }
        }
        return .png
    }

    /// WebP, animated when the extended header's flag says so. A file cut off behind the signature counts as a still.
    static func webP(_ bytes: BoundedBytes) -> ImageFormat? {
        guard bytes.has("RIFF", at: 0), bytes.has("WEBP", at: 8) else { return nil }
        guard bytes.count > 12 else { return .webp }
        if bytes.has("VP8X", at: 12), let flags = bytes[20] {
            return flags & 0x02 != 0 ? .animatedWebP : .webp
        }
        // The name of the first chunk, as much of it as there is.
        let name = bytes.slice(12..<16)
        let isKnown = ["VP8 ", "VP8L", "VP8X"].contains { $0.utf8.starts(with: name) }
        return isKnown ? .webp : nil
    }

    /// HEIC, HEIF and AVIF by the brands of an ISO base media file (ISO/IEC 14496-12 §4.3, 23008-12 §10).
    ///
    /// The major brand decides when it names the codec. Where it only says "a picture in a HEIF file", or something
    /// unknown, the compatible brands are asked. Video has none of these brands.
    static func isoMedia(_ bytes: BoundedBytes) -> ImageFormat? {
        guard bytes.has("ftyp", at: 4), let size = bytes.bigEndian32(at: 0) else { return nil }
        // A size of 1 announces a 64-bit size behind the name, 0 a box up to the end of the file.
        let header = size == 1 ? 16 : 8
        let end = min(size < 2 ? Self.brandsEnd : size, Self.brandsEnd, bytes.count)
        guard header + 4 <= end else { return nil }
        if let codec = codec(ofBrandAt: header, bytes) { return codec }

        let compatible = stride(from: header + 8, through: end - 4, by: 4)
        if let codec = compatible.lazy.compactMap({ codec(ofBrandAt: $0, bytes) }).first { return codec }
        let brands = [header] + compatible
        return brands.contains { bytes.has("mif1", at: $0) || bytes.has("msf1", at: $0) } ? .heif : nil
    }

    /// Where the search for brands stops: real files name fewer than twenty.
    private static let brandsEnd = 1_024

    private static func codec(ofBrandAt offset: Int, _ bytes: BoundedBytes) -> ImageFormat? {
        let heic: [StaticString] = ["heic", "heix", "hevc", "hevx", "heim", "heis"]
        let avif: [StaticString] = ["avif", "avis"]
        if avif.contains(where: { bytes.has($0, at: offset) }) { return .avif }
        if heic.contains(where: { bytes.has($0, at: offset) }) { return .heic }
        return nil
    }
}
