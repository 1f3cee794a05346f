// swift-tools-version: 6.2
import PackageDescription

// A package of its own: only `make fuzz` builds it, with the sanitizers.
let package = Package(
    name: "Fuzz",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "swift-web-image", path: "..")],
    targets: [
        .executableTarget(
            name: "FuzzDecoders", dependencies: [.product(name: "WebImage", package: "swift-web-image")])
    ],
    swiftLanguageModes: [.v6]
)
