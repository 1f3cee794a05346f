#if HEIF
import CHEIF
import Pixels

/// A HEIF file opened by libheif, which reads the bytes where they are: they have to outlive it.
struct HEIFContainer: ~Copyable {
    private let context: OpaquePointer
    /// The primary picture, unless another one was asked for.
    let picture: HEIFItem

    /// Reads a file's boxes, no pixels.
    ///
    /// - Parameters:
    ///   - maxSide: what libheif refuses to exceed.
    ///   - identifier: of the picture, `nil` for the primary one.
    init(
        _ bytes: UnsafeRawBufferPointer, format: ImageFormat, maxSide: Int = .max, identifier: heif_item_id? = nil
    ) throws(CodingError) {
        guard let context = heif_context_alloc() else {
            throw CodingError(.outOfMemory, "There is no memory to open the HEIF.", format: format)
        }
        var handle: OpaquePointer?
        do throws(CodingError) {
            // Its own default is 32,768, and it takes nothing beyond.
            heif_context_set_maximum_image_size_limit(context, Int32(max(1, min(maxSide, 32_768))))
            // None beside the caller's.
            heif_context_set_max_decoding_threads(context, 0)
            try Self.refuseMovingAlone(bytes, format)
            try HEIFStatus.check(
                heif_context_read_from_memory_without_copy(context, bytes.baseAddress, bytes.count, nil), format)
            let status =
                identifier.map { heif_context_get_image_handle(context, $0, &handle) }
                ?? heif_context_get_primary_image_handle(context, &handle)
            try HEIFStatus.check(status, format)
            guard handle != nil else {
                throw CodingError(.malformed, "The HEIF has no primary picture.", format: format)
            }
        } catch {
            heif_context_free(context)
            throw error
        }
        self.context = context
        picture = HEIFItem(handle: handle, format: format)
    }

    deinit { heif_context_free(context) }

    /// A sequence without a still picture: tracks, but no list of items (ISO/IEC 23008-12 §7 and §6).
    private static func refuseMovingAlone(_ bytes: UnsafeRawBufferPointer, _ format: ImageFormat) throws(CodingError) {
        let file = BoundedBytes(bytes)
        guard ISOBoxes.first("moov", in: file) != nil, ISOBoxes.first("meta", in: file) == nil else { return }
        throw CodingError(
            .unsupportedFeature,
            "The \(format) holds an image sequence and no still picture, and libheif \(HEIFStatus.library.version) reads "
                + "still pictures only.", format: format)
    }

    /// How many pictures there are, neither thumbnails nor parts of others.
    var pictureCount: Int { max(1, Int(heif_context_get_number_of_top_level_images(context))) }

    /// Their identifiers, that of the primary picture first.
    func identifiers(atMost count: Int) -> [heif_item_id] {
        var all = [heif_item_id](repeating: 0, count: min(count, pictureCount))
        let found = heif_context_get_list_of_top_level_image_IDs(context, &all, Int32(clamping: all.count))
        var primary: heif_item_id = 0
        guard heif_context_get_primary_image_ID(context, &primary).code == heif_error_Ok else { return [] }
        return [primary] + all.prefix(max(0, Int(found))).filter { $0 != primary }
    }
}

extension HEIFContainer {
    /// What the boxes say of a picture.
    func page(_ identifier: heif_item_id, _ format: ImageFormat) throws(CodingError) -> PageSource.Page {
        var handle: OpaquePointer?
        try HEIFStatus.check(heif_context_get_image_handle(context, identifier, &handle), format)
        let item = HEIFItem(handle: handle, format: format)
        return PageSource.Page(size: item.size, hasAlpha: item.hasAlpha)
    }
}

/// One picture of a HEIF file. Must not outlive its container.
struct HEIFItem: ~Copyable {
    let handle: OpaquePointer?
    private let format: ImageFormat

    init(handle: OpaquePointer?, format: ImageFormat) {
        self.handle = handle
        self.format = format
    }

    deinit { heif_image_handle_release(handle) }

    /// As it is seen: turned, mirrored and cropped.
    var size: PixelSize {
        PixelSize(width: Int(heif_image_handle_get_width(handle)), height: Int(heif_image_handle_get_height(handle)))
    }

    /// Before it is turned, mirrored and cropped.
    var codedSize: PixelSize {
        PixelSize(
            width: Int(heif_image_handle_get_ispe_width(handle)), height: Int(heif_image_handle_get_ispe_height(handle))
        )
    }

    var hasAlpha: Bool { heif_image_handle_has_alpha_channel(handle) != 0 }

    var isPremultiplied: Bool { heif_image_handle_is_premultiplied_alpha(handle) != 0 }

    /// 8 where the file does not say.
    var bitsPerComponent: Int { max(8, Int(heif_image_handle_get_luma_bits_per_pixel(handle))) }

    var color: ColorDescription {
        if let profile { return ColorDescription.icc(profile).simplified }
        var codes: UnsafeMutablePointer<heif_color_profile_nclx>?
        guard heif_image_handle_get_nclx_color_profile(handle, &codes).code == heif_error_Ok, let codes else {
            return .unspecified
        }
        defer { heif_nclx_color_profile_free(codes) }
        return ColorDescription(
            primaries: Int(codes.pointee.color_primaries.rawValue),
            transfer: Int(codes.pointee.transfer_characteristics.rawValue),
            matrix: Int(codes.pointee.matrix_coefficients.rawValue), isFullRange: codes.pointee.full_range_flag != 0)
    }

    /// The smallest thumbnail of the same shape that covers `minimum`, `nil` without one.
    func thumbnail(covering minimum: PixelSize) -> HEIFItem? {
        // More than a few are nobody's thumbnails.
        var identifiers = [heif_item_id](repeating: 0, count: 8)
        let count = heif_image_handle_get_list_of_thumbnail_IDs(handle, &identifiers, Int32(identifiers.count))
        var best: (identifier: heif_item_id, width: Int)?
        for identifier in identifiers.prefix(max(0, Int(count))) {
            guard let item = thumbnail(identifier), isSameShape(item.size) else { continue }
            guard item.size.width >= minimum.width, item.size.height >= minimum.height else { continue }
            if item.size.width < best?.width ?? size.width { best = (identifier, item.size.width) }
        }
        return best.flatMap { thumbnail($0.identifier) }
    }

    private func thumbnail(_ identifier: heif_item_id) -> HEIFItem? {
        var thumbnail: OpaquePointer?
        guard heif_image_handle_get_thumbnail(handle, identifier, &thumbnail).code == heif_error_Ok, thumbnail != nil
        else { return nil }
        return HEIFItem(handle: thumbnail, format: format)
    }

    /// Both sides may be rounded.
    private func isSameShape(_ other: PixelSize) -> Bool {
        abs(other.width * size.height - other.height * size.width) <= max(size.width, size.height)
    }

    /// Decodes the picture, its turns, mirrors and crop applied.
    ///
    /// - Parameter isDeep: 16 bits a channel instead of 8.
    func decode(isDeep: Bool) throws(CodingError) -> HEIFPixels {
        guard let options = heif_decoding_options_alloc() else {
            throw CodingError(.outOfMemory, "There is no memory to decode the HEIF.", format: format)
        }
        defer { heif_decoding_options_free(options) }
        options.pointee.convert_hdr_to_8bit = isDeep ? 0 : 1
        var image: OpaquePointer?
        let chroma = isDeep ? heif_chroma_interleaved_RRGGBBAA_LE : heif_chroma_interleaved_RGBA
        try HEIFStatus.check(heif_decode_image(handle, &image, heif_colorspace_RGB, chroma, options), format)
        return HEIFPixels(image: image)
    }
}

/// Decoded rows, in libheif's memory.
struct HEIFPixels: ~Copyable {
    private let image: OpaquePointer?
    let size: PixelSize
    let bytesPerRow: Int
    let base: UnsafeMutableRawPointer?
    /// Bits in use of one channel.
    let bits: Int

    init(image: OpaquePointer?) {
        var stride: Int32 = 0
        self.image = image
        base = UnsafeMutableRawPointer(heif_image_get_plane(image, heif_channel_interleaved, &stride))
        bytesPerRow = Int(stride)
        size = PixelSize(
            width: Int(heif_image_get_width(image, heif_channel_interleaved)),
            height: Int(heif_image_get_height(image, heif_channel_interleaved)))
        bits = Int(heif_image_get_bits_per_pixel_range(image, heif_channel_interleaved))
    }

    deinit { heif_image_release(image) }
}
#endif
