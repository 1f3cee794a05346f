#if AVIF
import CAVIF
import Pixels

/// A decoded AVIF's planes made smaller before they become RGB: the rest of the way costs that much less.
struct AVIFReduction: ~Copyable {
    let image: UnsafeMutablePointer<avifImage>

    /// What a picture can be divided by and still covers `wanted`; 1 where it has alpha, whose colours would have to be
    /// weighted, or more than 8 bits.
    static func factor(covering wanted: PixelSize?, of image: UnsafePointer<avifImage>, hasAlpha: Bool) -> Int {
        guard image.pointee.depth == 8, !hasAlpha else { return 1 }
        let size = PixelSize(width: Int(image.pointee.width), height: Int(image.pointee.height))
        return PlaneReduction.factor(covering: wanted, of: size)
    }

    /// Room for a picture like another of this size; its planes are filled next.
    private init(_ size: PixelSize, like source: UnsafePointer<avifImage>) throws(CodingError) {
        let isGray = source.pointee.yuvFormat == AVIF_PIXEL_FORMAT_YUV400
        guard
            let image = avifImageCreate(
                UInt32(size.width), UInt32(size.height), 8,
                isGray ? AVIF_PIXEL_FORMAT_YUV400 : AVIF_PIXEL_FORMAT_YUV444)
        else { throw CodingError(.outOfMemory, "There is no memory to decode the AVIF.", format: .avif) }
        image.pointee.yuvRange = source.pointee.yuvRange
        image.pointee.colorPrimaries = source.pointee.colorPrimaries
        image.pointee.transferCharacteristics = source.pointee.transferCharacteristics
        image.pointee.matrixCoefficients = source.pointee.matrixCoefficients
        self.image = image
    }

    /// - Parameter factor: 2, 4 or 8. Subsampled colours are divided by less, so that all planes become as large.
    static func reduce(
        _ source: UnsafePointer<avifImage>, over factor: Int, options: DecodeOptions
    ) throws(CodingError) -> AVIFReduction {
        let size = PixelSize(width: Int(source.pointee.width), height: Int(source.pointee.height))
        let reduction = try AVIFReduction(PlaneReduction.size(of: size, over: factor, factor), like: source)
        try AVIFStatus.check(avifImageAllocatePlanes(reduction.image, avifPlanesFlags(AVIF_PLANES_YUV.rawValue)))
        let (planes, strides) = (source.pointee.yuvPlanes, source.pointee.yuvRowBytes)
        try reduction.fill(0, from: planes.0, strides.0, size, over: factor, factor, options)
        guard source.pointee.yuvFormat != AVIF_PIXEL_FORMAT_YUV400 else { return reduction }
        let columns = source.pointee.yuvFormat == AVIF_PIXEL_FORMAT_YUV444 ? 1 : 2
        let rows = source.pointee.yuvFormat == AVIF_PIXEL_FORMAT_YUV420 ? 2 : 1
        let colors = PlaneReduction.size(of: size, over: columns, rows)
        try reduction.fill(1, from: planes.1, strides.1, colors, over: factor / columns, factor / rows, options)
        try reduction.fill(2, from: planes.2, strides.2, colors, over: factor / columns, factor / rows, options)
        return reduction
    }

    deinit { avifImageDestroy(image) }

    private func fill(
        _ index: Int, from plane: UnsafeMutablePointer<UInt8>?, _ bytesPerRow: UInt32, _ size: PixelSize,
        over columns: Int, _ rows: Int, _ options: DecodeOptions
    ) throws(CodingError) {
        let planes = image.pointee.yuvPlanes
        let strides = image.pointee.yuvRowBytes
        let (target, stride) = [(planes.0, strides.0), (planes.1, strides.1), (planes.2, strides.2)][index]
        guard let plane, let target else {
            throw CodingError(.malformed, "The AVIF lacks a plane of its picture.", format: .avif)
        }
        try PlaneReduction.reduce(
            PlaneReduction.Plane(base: UnsafePointer(plane), bytesPerRow: Int(bytesPerRow), size: size),
            over: columns, rows, into: target, bytesPerRow: Int(stride), options: options)
    }
}
#endif
