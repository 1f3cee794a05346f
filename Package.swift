// swift-tools-version: 6.2
import PackageDescription

/// Language mode 6 plus the upcoming features that keep layers and isolation honest; every Swift target has them.
let house: [SwiftSetting] = [
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
]

/// A C library of the system, found by pkg-config.
func library(_ name: String, pkgConfig: String, apt: String, brew: String) -> Target {
    .systemLibrary(
        name: name, path: "Sources/CLibraries/\(name)", pkgConfig: pkgConfig,
        providers: [.apt([apt]), .brew([brew])])
}

/// A small C target of ours: where setjmp, macros, varargs or run-time CPU dispatch keep Swift out.
func shim(_ name: String, over dependencies: [Target.Dependency] = []) -> Target {
    .target(name: name, dependencies: dependencies, path: "Sources/CShims/\(name)")
}

/// What a format needs beyond Swift, there only while the trait of the library is on.
func when(_ trait: String, _ names: String...) -> [Target.Dependency] {
    names.map { .target(name: $0, condition: .when(traits: [trait])) }
}

/// One trait for each library of pictures, all on by default: without one its format ends in an error that says so.
let formats: [Trait] = [
    .trait(name: "JPEG", description: "JPEG, through libjpeg-turbo."),
    .trait(name: "PNG", description: "PNG and APNG, through libpng and ISA-L."),
    .trait(name: "GIF", description: "GIF, through giflib."),
    .trait(name: "WebP", description: "WebP, through libwebp."),
    .trait(name: "AVIF", description: "AVIF, through libavif."),
    .trait(name: "HEIF", description: "HEIC and HEIF, through libheif."),
    .trait(name: "JPEGXL", description: "JPEG XL, through libjxl."),
    .trait(name: "TIFF", description: "TIFF, through libtiff."),
    .trait(name: "SVG", description: "SVG, through librsvg."),
    .trait(name: "PDF", description: "PDF, through poppler."),
    .trait(name: "RAW", description: "The raw pictures of cameras, through LibRaw."),
    .trait(name: "LCMS", description: "Colour profiles, through Little CMS."),
]

/// What draws pictures in windows, on by default too.
let toolkit = Trait.trait(name: "GTK", description: "Pictures in the widgets of GTK 4: WebImageGTK.")

func module(_ name: String, _ dependencies: [Target.Dependency] = []) -> Target {
    .target(name: name, dependencies: dependencies, swiftSettings: house)
}

func tests(_ name: String, _ dependencies: [Target.Dependency], resources: [Resource] = []) -> Target {
    .testTarget(name: name, dependencies: dependencies, resources: resources, swiftSettings: house)
}

let package = Package(
    name: "swift-web-image",
    platforms: [.macOS(.v15)],
    products: [
        .library(name: "WebImage", targets: ["WebImage"]),
        .library(name: "WebImageGTK", targets: ["WebImageGTK"]),
        .library(name: "WebImageTesting", targets: ["WebImageTesting"]),
        .executable(name: "webimage", targets: ["WebImageCommand"]),
    ],
    traits: Set(formats).union([
        toolkit,
        .default(enabledTraits: Set(formats.map(\.name)).union([toolkit.name])),
        .trait(
            name: "AsyncHTTPClient",
            description: "A second HTTP transport, over async-http-client, for servers that run on SwiftNIO."),
        .trait(name: "Logging", description: "An observer that writes to swift-log."),
        .trait(name: "Metrics", description: "An observer that counts with swift-metrics."),
        .trait(name: "Tracing", description: "An observer that opens spans of swift-distributed-tracing."),
    ]),
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.6.0"),
        // Each of these is fetched and built only for its trait, and none is on by default.
        .package(url: "https://github.com/swift-server/async-http-client", from: "1.24.0"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.81.0"),
        .package(url: "https://github.com/apple/swift-nio-ssl", from: "2.29.0"),
        .package(url: "https://github.com/apple/swift-log", from: "1.6.0"),
        .package(url: "https://github.com/apple/swift-metrics", from: "2.5.0"),
        .package(url: "https://github.com/apple/swift-distributed-tracing", from: "1.1.0"),
    ],
    targets: [
        // C libraries of the system.
        library("CJPEG", pkgConfig: "libjpeg", apt: "libjpeg62-turbo-dev", brew: "jpeg-turbo"),
        library("CPNG", pkgConfig: "libpng", apt: "libpng-dev", brew: "libpng"),
        library("CISAL", pkgConfig: "libisal", apt: "libisal-dev", brew: "isa-l"),
        library("CWebP", pkgConfig: "libwebpdemux", apt: "libwebp-dev", brew: "webp"),
        library("CGIF", pkgConfig: "libgif", apt: "libgif-dev", brew: "giflib"),
        library("CAVIF", pkgConfig: "libavif", apt: "libavif-dev", brew: "libavif"),
        library("CHEIF", pkgConfig: "libheif", apt: "libheif-dev", brew: "libheif"),
        library("CJXL", pkgConfig: "libjxl", apt: "libjxl-dev", brew: "jpeg-xl"),
        library("CTIFF", pkgConfig: "libtiff-4", apt: "libtiff-dev", brew: "libtiff"),
        library("CRSVG", pkgConfig: "librsvg-2.0", apt: "librsvg2-dev", brew: "librsvg"),
        library("CPoppler", pkgConfig: "poppler-glib", apt: "libpoppler-glib-dev", brew: "poppler"),
        library("CLibRaw", pkgConfig: "libraw_r", apt: "libraw-dev", brew: "libraw"),
        library("CLCMS", pkgConfig: "lcms2", apt: "liblcms2-dev", brew: "little-cms2"),
        library("CGTK", pkgConfig: "gtk4", apt: "libgtk-4-dev", brew: "gtk4"),
        library("CCurl", pkgConfig: "libcurl", apt: "libcurl4-openssl-dev", brew: "curl"),
        library("CCrypto", pkgConfig: "libcrypto", apt: "libssl-dev", brew: "openssl@3"),
        library("CXXHash", pkgConfig: "libxxhash", apt: "libxxhash-dev", brew: "xxhash"),

        // C of our own.
        shim("CJPEGShim", over: ["CJPEG"]),
        shim("CPNGShim", over: ["CPNG"]),
        shim("CPNGStream", over: ["CISAL"]),
        shim("CTIFFShim", over: ["CTIFF"]),
        shim("CGTKShim", over: ["CGTK"]),
        shim("CCryptoShim", over: ["CCrypto"]),
        shim("CCurlShim", over: ["CCurl", "CCryptoShim"]),
        shim("CPixelKernels"),
        shim("CThreadShim"),

        // The ground floor: threads, bytes and pixels.
        module("SystemThreads", ["CThreadShim"]),
        module("ByteBuffers"),
        module("Pixels", ["ByteBuffers"]),

        // The stages. None of them knows another.
        module(
            "ImageCoding",
            ["Pixels", "ByteBuffers"] + when("JPEG", "CJPEGShim") + when("PNG", "CPNGShim", "CPNGStream", "CPNG")
                + when("GIF", "CGIF") + when("WebP", "CWebP") + when("AVIF", "CAVIF") + when("HEIF", "CHEIF")
                + when("JPEGXL", "CJXL") + when("TIFF", "CTIFFShim") + when("SVG", "CRSVG") + when("PDF", "CPoppler")
                + when("RAW", "CLibRaw") + when("LCMS", "CLCMS")),
        module("ImageProcessing", ["ByteBuffers", "Pixels", "CPixelKernels", "CXXHash"]),
        module("ImageCaching", ["SystemThreads", "ByteBuffers", "CCryptoShim", "CXXHash"]),
        module(
            "ImageFetching",
            [
                "SystemThreads", "ByteBuffers", "CCurlShim", "CCryptoShim",
                .product(
                    name: "AsyncHTTPClient", package: "async-http-client", condition: .when(traits: ["AsyncHTTPClient"])
                ),
                .product(name: "NIOCore", package: "swift-nio", condition: .when(traits: ["AsyncHTTPClient"])),
                .product(name: "NIOHTTP1", package: "swift-nio", condition: .when(traits: ["AsyncHTTPClient"])),
                .product(name: "NIOPosix", package: "swift-nio", condition: .when(traits: ["AsyncHTTPClient"])),
                .product(name: "NIOSSL", package: "swift-nio-ssl", condition: .when(traits: ["AsyncHTTPClient"])),
            ]),

        // The pipeline.
        module(
            "WebImage",
            [
                "SystemThreads", "ByteBuffers", "Pixels", "ImageCoding", "ImageProcessing", "ImageCaching",
                "ImageFetching",
                .product(name: "Logging", package: "swift-log", condition: .when(traits: ["Logging"])),
                .product(name: "CoreMetrics", package: "swift-metrics", condition: .when(traits: ["Metrics"])),
                .product(name: "Tracing", package: "swift-distributed-tracing", condition: .when(traits: ["Tracing"])),
            ]),

        // What stands on it.
        module("WebImageGTK", ["Pixels", "ImageCoding", "WebImage"] + when("GTK", "CGTK", "CGTKShim")),
        module("WebImageTesting", ["SystemThreads", "ImageCaching", "WebImage"]),
        // Not named as its product is: a file system that ignores case would see WebImage's folder again.
        .executableTarget(
            name: "WebImageCommand",
            dependencies: ["WebImage", .product(name: "ArgumentParser", package: "swift-argument-parser")]
                + when("GTK", "WebImageGTK", "CGTK"),
            swiftSettings: house),

        tests("ByteBuffersTests", ["ByteBuffers"]),
        tests("PixelsTests", ["Pixels", "ByteBuffers"]),
        tests("ImageCodingTests", ["ImageCoding", "Pixels", "ByteBuffers"], resources: [.copy("Fixtures")]),
        tests(
            "ImageProcessingTests", ["ImageProcessing", "Pixels", "WebImageTesting"], resources: [.copy("Fixtures")]),
        tests("ImageCachingTests", ["ImageCaching", "ByteBuffers", "WebImageTesting", "ServerSupport", "CacheHammer"]),
        // Works on a cache's folder until a test kills it.
        .executableTarget(
            name: "CacheHammer", dependencies: ["ImageCaching", "ByteBuffers"], path: "Tests/CacheHammer",
            swiftSettings: house),
        tests("ImageFetchingTests", ["ImageFetching", "ByteBuffers", "WebImageTesting"]),
        tests(
            "WebImageTests",
            [
                "WebImage", "ImageCaching", "WebImageTesting",
                .product(name: "Logging", package: "swift-log", condition: .when(traits: ["Logging"])),
                .product(name: "InMemoryLogging", package: "swift-log", condition: .when(traits: ["Logging"])),
                .product(name: "CoreMetrics", package: "swift-metrics", condition: .when(traits: ["Metrics"])),
                .product(name: "MetricsTestKit", package: "swift-metrics", condition: .when(traits: ["Metrics"])),
                .product(name: "Tracing", package: "swift-distributed-tracing", condition: .when(traits: ["Tracing"])),
                .product(
                    name: "InMemoryTracing", package: "swift-distributed-tracing",
                    condition: .when(traits: ["Tracing"])),
            ]),
        tests(
            "CommandTests",
            [
                "WebImageCommand", "WebImage", "WebImageTesting", "ServerSupport",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ]),
        // Real servers that a test starts, and the tests that need more of them than files over plain HTTP.
        .target(name: "ServerSupport", path: "Tests/ServerSupport", swiftSettings: house),
        // The command is started as a program; naming it here has it built.
        tests("ServerTests", ["ImageFetching", "ByteBuffers", "WebImageCommand", "ServerSupport"]),
        tests("WebImageGTKTests", ["ServerSupport", "WebImage", "GTKTrial", "GTKGallery", "WebImageCommand"]),
        // Opens windows and says what it sees; GTK wants the first thread of a process, and tests do not have it.
        .executableTarget(
            name: "GTKTrial",
            dependencies: [
                "WebImageGTK", "WebImage", "WebImageTesting", "ServerSupport", "ImageCaching", "ImageCoding",
                "ImageFetching", "Pixels",
            ] + when("GTK", "CGTK", "CGTKShim"),
            path: "Tests/GTKTrial", swiftSettings: house),
        // The example of the article about GTK, run by its tests.
        .executableTarget(
            name: "GTKGallery", dependencies: ["WebImageGTK"] + when("GTK", "CGTK"), path: "Examples/GTKGallery",
            swiftSettings: house),
        // The examples of the README and the articles; Scripts/snippets writes them.
        tests("SnippetTests", ["WebImage"]),
    ],
    swiftLanguageModes: [.v6],
    cLanguageStandard: .gnu11
)

// Only `make docs` needs the documentation plugin; who depends on this package does not fetch it.
if Context.environment["WEBIMAGE_DOCS"] != nil {
    package.dependencies.append(.package(url: "https://github.com/swiftlang/swift-docc-plugin", from: "1.4.0"))
}
