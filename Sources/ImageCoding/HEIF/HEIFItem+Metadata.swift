#if HEIF
import ByteBuffers
import CHEIF

/// What a HEIF file says of a picture in items of their own (ISO/IEC 23008-12 annex A).
extension HEIFItem {
    /// More than a few pieces are not looked at.
    private static let mostBlocks = 16

    var metadata: ImageMetadata {
        // Four bytes say how far behind them the TIFF structure starts.
        let exif = block { type, _ in type == "Exif" }.flatMap { block -> Bytes? in
            let start = block.withUnsafeBytes { BoundedBytes($0).bigEndian32(at: 0) }.map { $0 + 4 }
            guard let start, start < block.count else { return nil }
            return block[start..<block.count]
        }
        let xmp = block { type, content in type == "mime" && content == "application/rdf+xml" }
        var found = ImageMetadata(xmp: xmp, profile: profile)
        found.exif = exif.flatMap { exif in
            exif.withUnsafeBytes { try? Bytes(copying: TIFFReader.skippingIntroduction(of: $0)) }
        }
        return found
    }

    /// `nil` without one, and for one that is too long or broken.
    var profile: ICCProfile? {
        let count = heif_image_handle_get_raw_color_profile_size(handle)
        guard count > 0, count <= ICCProfile.maximumByteCount else { return nil }
        return copy(count) { heif_image_handle_get_raw_color_profile(handle, $0) }.flatMap(ICCProfile.init)
    }

    /// The first piece of a kind.
    private func block(_ isWanted: (_ type: String, _ content: String) -> Bool) -> Bytes? {
        var identifiers = [heif_item_id](repeating: 0, count: Self.mostBlocks)
        let count = heif_image_handle_get_list_of_metadata_block_IDs(
            handle, nil, &identifiers, Int32(identifiers.count))
        for identifier in identifiers.prefix(max(0, Int(count))) {
            let type = heif_image_handle_get_metadata_type(handle, identifier).map { String(cString: $0) }
            let content = heif_image_handle_get_metadata_content_type(handle, identifier).map { String(cString: $0) }
            guard isWanted(type ?? "", content ?? "") else { continue }
            let count = heif_image_handle_get_metadata_size(handle, identifier)
            guard count > 0, count <= ImageMetadata.maximumByteCount else { return nil }
            return copy(count) { heif_image_handle_get_metadata(handle, identifier, $0) }
        }
        return nil
    }

    private func copy(_ count: Int, _ write: (UnsafeMutableRawPointer?) -> heif_error) -> Bytes? {
        let copy = try? Bytes(capacity: count) { write($0.baseAddress).code == heif_error_Ok ? count : 0 }
        return copy.flatMap { $0.isEmpty ? nil : $0 }
    }
}
#endif
