import ByteBuffers
import ImageCoding
import Testing

@Suite("Missing libraries")
struct MissingLibraryTests {
    @Test("formats that need no library are always there")
    func own() {
        #expect(Set(CoderRegistry.standard.decodableFormats).isSuperset(of: [.bmp, .ico, .cur]))
        #expect(CoderRegistry.standard.encodableFormats.contains(.bmp))
    }

    #if AVIF && HEIF && JPEGXL && TIFF && SVG && PDF && RAW
    @Test("with every trait on, every known format is decoded")
    func all() {
        let formats: Set<ImageFormat> = [.avif, .heic, .heif, .jpegXL, .tiff, .svg, .pdf, .raw]
        #expect(Set(CoderRegistry.standard.decodableFormats).isSuperset(of: formats))
        #expect(Set(CoderRegistry.standard.encodableFormats).isSuperset(of: [.avif, .heic, .jpegXL, .tiff]))
    }
    #endif

    #if !PDF
    @Test("without its trait a format ends in an error that names the trait and Debian's package")
    func missing() {
        let error = #expect(throws: CodingError.self) {
            try CoderRegistry.standard.decode(Bytes(Array("%PDF-1.7".utf8)))
        }
        #expect(error?.code == .unsupportedFormat && error?.format == .pdf)
        #expect(error?.message.contains("trait PDF") == true && error?.message.contains("libpoppler-glib-dev") == true)
    }
    #endif
}
