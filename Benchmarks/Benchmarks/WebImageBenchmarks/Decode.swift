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

func decodeBenchmarks() {
    let long = Benchmark.Configuration.measuring([.wallClock], for: .seconds(4), atMost: 60)

    for (name, input) in [("JPEG", BenchmarkInput.photo), ("PNG", .png), ("WebP", .webp)] {
        measure("decode \(name) 12 MP", long) {
            try DecodeState(input)
        } run: { state, _ in
            blackHole(try state.coders.decode(state.bytes).width)
        }
    }

    measure("decode JPEG 12 MP (C)", long) {
        try DecodeState(.photo)
    } run: { state, _ in
        var (width, height): (UInt32, UInt32) = (0, 0)
        try state.control("jpeg") {
            ctl_jpeg_decode($0, $1, 1, state.frame.baseAddress, state.frame.count, &width, &height)
        }
    }

    measure("decode PNG 12 MP (C)", long) {
        try DecodeState(.png)
    } run: { state, _ in
        try state.control("png") { ctl_png_decode($0, $1, state.frame.baseAddress, state.frame.count) }
    }

    measure("decode WebP 12 MP (C)", long) {
        try DecodeState(.webp)
    } run: { state, _ in
        try state.control("webp") { ctl_webp_decode($0, $1, state.frame.baseAddress, state.frame.count, 16_000) }
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
