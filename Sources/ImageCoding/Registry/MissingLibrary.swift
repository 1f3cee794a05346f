/// The library that a format waits for: the package's trait that was off in this build, and what has to be installed.
struct MissingLibrary: Hashable {
    let formats: [ImageFormat]
    /// The trait's name in the package's manifest.
    let trait: String
    /// Debian's package with the library's headers.
    let package: String

    /// A sentence that ends an error's message, with the space before it; empty when no trait would help.
    static func sentence(for format: ImageFormat) -> String {
        guard let missing = all.first(where: { $0.formats.contains(format) }) else { return "" }
        return " Build with the package trait \(missing.trait); on Debian it needs \(missing.package)."
    }

    /// Those whose traits are off.
    static let all: [MissingLibrary] = {
        var all: [MissingLibrary] = []
        #if !JPEG
        all.append(MissingLibrary(formats: [.jpeg], trait: "JPEG", package: "libjpeg62-turbo-dev"))
        #endif
        #if !PNG
        all.append(MissingLibrary(formats: [.png, .apng], trait: "PNG", package: "libpng-dev and libisal-dev"))
        #endif
        #if !GIF
        all.append(MissingLibrary(formats: [.gif], trait: "GIF", package: "libgif-dev"))
        #endif
        #if !WebP
        all.append(MissingLibrary(formats: [.webp, .animatedWebP], trait: "WebP", package: "libwebp-dev"))
        #endif
        #if !AVIF
        all.append(MissingLibrary(formats: [.avif], trait: "AVIF", package: "libavif-dev"))
        #endif
        #if !HEIF
        all.append(MissingLibrary(formats: [.heic, .heif], trait: "HEIF", package: "libheif-dev"))
        #endif
        #if !JPEGXL
        all.append(MissingLibrary(formats: [.jpegXL], trait: "JPEGXL", package: "libjxl-dev"))
        #endif
        #if !TIFF
        all.append(MissingLibrary(formats: [.tiff], trait: "TIFF", package: "libtiff-dev"))
        #endif
        #if !SVG
        all.append(MissingLibrary(formats: [.svg], trait: "SVG", package: "librsvg2-dev"))
        #endif
        #if !PDF
        all.append(MissingLibrary(formats: [.pdf], trait: "PDF", package: "libpoppler-glib-dev"))
        #endif
        #if !RAW
        all.append(MissingLibrary(formats: [.raw], trait: "RAW", package: "libraw-dev"))
        #endif
        return all
    }()
}
