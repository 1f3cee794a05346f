// swift-tools-version: 6.2
import PackageDescription

let house: [SwiftSetting] = [
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
]

let testing = Target.Dependency.product(name: "WebImageTesting", package: "swift-web-image")
let webImage = Target.Dependency.product(name: "WebImage", package: "swift-web-image")

let package = Package(
    name: "benchmarks",
    platforms: [.macOS(.v15)],
    dependencies: [
        .package(name: "swift-web-image", path: ".."),
        // Without its own malloc counter: that one counts for all threads, ours for the calling one.
        .package(url: "https://github.com/ordo-one/benchmark", from: "1.38.0", traits: []),
    ],
    targets: [
        // The bare C programs that the library is held against, and the libraries under them.
        .systemLibrary(
            name: "ControlLibraries",
            pkgConfig:
                "libjpeg libpng libwebpdemux libgif libavif libheif libjxl libtiff-4 librsvg-2.0 poppler-glib libcurl sqlite3",
            providers: [
                .apt([
                    "libjpeg62-turbo-dev", "libpng-dev", "libwebp-dev", "libgif-dev", "libavif-dev", "libheif-dev",
                    "libjxl-dev", "libtiff-dev", "librsvg2-dev", "libpoppler-glib-dev", "libcurl4-openssl-dev",
                    "libsqlite3-dev",
                ]),
                .brew([
                    "jpeg-turbo", "libpng", "webp", "giflib", "libavif", "libheif", "jpeg-xl", "libtiff", "librsvg",
                    "poppler", "curl", "sqlite",
                ]),
            ]),
        .target(name: "CControls", dependencies: ["ControlLibraries"]),
        .target(name: "CAllocations"),

        // What is measured on, made once.
        .target(name: "BenchmarkInputs", swiftSettings: house),
        .executableTarget(
            name: "PrepareInputs", dependencies: ["BenchmarkInputs", "CControls", webImage], swiftSettings: house),

        .executableTarget(
            name: "WebImageBenchmarks",
            dependencies: [
                "BenchmarkInputs", "CAllocations", "CControls", webImage, testing,
                .product(name: "Benchmark", package: "benchmark"),
            ],
            path: "Benchmarks/WebImageBenchmarks", swiftSettings: house,
            plugins: [.plugin(name: "BenchmarkPlugin", package: "benchmark")]),

        // Whole processes against an nginx; Scripts/bench-network runs them.
        .executableTarget(name: "Downloads", dependencies: [webImage], swiftSettings: house),
        .executableTarget(name: "Visible", dependencies: [webImage], swiftSettings: house),

        // Medians, ratios and targets as one table.
        .executableTarget(name: "Report", swiftSettings: house),
    ],
    swiftLanguageModes: [.v6],
    cLanguageStandard: .gnu11
)
