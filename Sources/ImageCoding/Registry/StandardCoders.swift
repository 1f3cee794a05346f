extension CoderRegistry {
    /// The coders of this package, as far as the traits that they need were on when it was built.
    public static let standard = {
        var decoders: [any ImageDecoder] = []
        var encoders: [any ImageEncoder] = []
        #if JPEG
        decoders.append(JPEGDecoder())
        encoders.append(JPEGEncoder())
        #endif
        #if PNG
        decoders.append(PNGDecoder())
        encoders.append(PNGEncoder())
        #endif
        #if WebP
        decoders.append(WebPDecoder())
        encoders.append(WebPEncoder())
        #endif
        #if GIF
        decoders.append(GIFDecoder())
        encoders.append(GIFEncoder())
        #endif
        #if AVIF
        decoders.append(AVIFDecoder())
        encoders.append(AVIFEncoder())
        #endif
        #if HEIF
        decoders.append(HEIFDecoder())
        encoders.append(HEIFEncoder())
        #endif
        #if JPEGXL
        decoders.append(JXLDecoder())
        encoders.append(JXLEncoder())
        #endif
        #if TIFF
        decoders.append(TIFFDecoder())
        encoders.append(TIFFEncoder())
        #endif
        decoders.append(BMPDecoder())
        encoders.append(BMPEncoder())
        decoders.append(ICODecoder())
        #if SVG
        decoders.append(SVGDecoder())
        #endif
        #if PDF
        decoders.append(PDFDecoder())
        #endif
        #if RAW
        decoders.append(RAWDecoder())
        #endif
        return CoderRegistry(decoders: decoders, encoders: encoders)
    }()
}
