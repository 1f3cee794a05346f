import Benchmark
import BenchmarkInputs
import CControls
import WebImage

/// Encoded bytes, and one frame that a control decodes into again and again.
final class DecodeState {
    let bytes: Bytes
    let frame: UnsafeMutableBufferPointer<UInt8>
    let coders = CoderRegistry.standard
    let stage = PictureStage()

    init(_ input: BenchmarkInput, frameBytes: Int = 4_000 * 3_000 * 4) throws {
        bytes = try Bytes(input.bytes())
        frame = .allocate(capacity: frameBytes)
        // Its pages are there before anything is measured, as those of a pool are.
        frame.initialize(repeating: 0)
    }

    deinit { frame.deallocate() }

    /// Gives the encoded bytes to a control and checks what it says.
    func control(_ name: String, _ body: (UnsafePointer<UInt8>?, Int) -> Int32) throws {
        let status = bytes.withUnsafeBytes { body($0.baseAddress?.assumingMemoryBound(to: UInt8.self), $0.count) }
        try ControlFailure.check(status, name)
    }
}

/// Whole pictures of each format, and what decodes them into rows that lie close together.
private enum FullDecode {
    typealias Control = @Sendable (UnsafePointer<UInt8>?, Int, UnsafeMutablePointer<UInt8>?, Int) -> Int32

    private static let jpeg: Control = { bytes, count, frame, capacity in
        var (width, height): (UInt32, UInt32) = (0, 0)
        return ctl_jpeg_decode(bytes, count, 1, frame, capacity, &width, &height)
    }

    static let all: [(name: String, input: BenchmarkInput, control: Control?)] = [
        ("JPEG 12 MP", .photo, jpeg),
        ("progressive JPEG 12 MP", .progressive, jpeg),
        ("PNG 12 MP", .png, { ctl_png_decode($0, $1, $2, $3) }),
        ("WebP 12 MP", .webp, { ctl_webp_decode($0, $1, $2, $3, 16_000) }),
        ("AVIF 12 MP", .avif, { ctl_avif_decode($0, $1, $2, $3, 16_000) }),
        ("HEIC 12 MP", .heic, { ctl_heif_decode($0, $1, $2, $3, 16_000) }),
        ("JPEG XL 12 MP", .jxl, { ctl_jxl_decode($0, $1, $2, $3) }),
        ("TIFF 12 MP", .tiff, { ctl_tiff_decode($0, $1, $2, $3) }),
        ("BMP 12 MP", .bmp, nil),
        ("SVG 2000 × 2000", .svg, { ctl_svg_decode($0, $1, 2_000, $2, $3) }),
        ("PDF 2000 × 2000", .pdf, { ctl_pdf_decode($0, $1, 2_000, $2, $3) }),
    ]
}

extension BenchmarkInput {
    /// What is asked for of a picture that has no size of its own.
    fileprivate var drawnSize: PixelSize? {
        self == .svg || self == .pdf ? PixelSize(width: 2_000, height: 2_000) : nil
    }
}

func decodeBenchmarks() {
    let long = Benchmark.Configuration.measuring([.wallClock], for: .seconds(4), atMost: 60)

    for (name, input, control) in FullDecode.all {
        measure("decode \(name)", long) {
            try DecodeState(input)
        } run: { state, _ in
            blackHole(try state.coders.decode(state.bytes, minimumSize: input.drawnSize).width)
        }
        guard let control else { continue }
        measure("decode \(name) (C)", long) {
            try DecodeState(input)
        } run: { state, _ in
            try state.control(name) { control($0, $1, state.frame.baseAddress, state.frame.count) }
        }
    }

    for (name, input) in [("GIF", BenchmarkInput.movingGIF), ("WebP", .movingWebP)] {
        measure("play \(name), 60 frames", long) {
            try DecodeState(input, frameBytes: 1_024)
        } run: { state, _ in
            let animation = try state.coders.animation(of: state.bytes)
            for index in 0..<animation.frameCount { blackHole(try animation.frame(at: index).width) }
        }
    }

    measure("play GIF, 60 frames (C)", long) {
        try DecodeState(.movingGIF, frameBytes: 640 * 480 * 4)
    } run: { state, _ in
        try state.frame.withMemoryRebound(to: UInt32.self) { canvas in
            try state.control("gif") { ctl_gif_play($0, $1, 60, canvas.baseAddress, 640, 480) }
        }
    }

    measure("play WebP, 60 frames (C)", long) {
        try DecodeState(.movingWebP, frameBytes: 1_024)
    } run: { state, _ in
        try state.control("webp") { ctl_webp_play($0, $1, 60) }
    }

    for (name, input) in [("JPEG", BenchmarkInput.tinyJPEG), ("PNG", .tinyPNG)] {
        measure("tiny \(name)", .measuring(scale: .kilo, atMost: 20)) {
            try DecodeState(input, frameBytes: 1_024)
        } run: { state, count in
            for _ in 0..<count { blackHole(try state.stage.picture(from: state.bytes).bitmap.width) }
        }
    }

    measure("tiny JPEG (C)", .measuring(scale: .kilo, atMost: 20)) {
        try DecodeState(.tinyJPEG, frameBytes: 1_024)
    } run: { state, count in
        var (width, height): (UInt32, UInt32) = (0, 0)
        for _ in 0..<count {
            try state.control("jpeg") {
                ctl_jpeg_decode($0, $1, 1, state.frame.baseAddress, state.frame.count, &width, &height)
            }
        }
    }

    measure("tiny PNG (C)", .measuring(scale: .kilo, atMost: 20)) {
        try DecodeState(.tinyPNG, frameBytes: 1_024)
    } run: { state, count in
        for _ in 0..<count {
            try state.control("png") { ctl_png_decode($0, $1, state.frame.baseAddress, state.frame.count) }
        }
    }
}
