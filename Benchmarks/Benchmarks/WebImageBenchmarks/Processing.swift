import Benchmark
import BenchmarkInputs
import CControls
import WebImage

/// Two megapixels of the photograph, for steps of processing.
private final class ProcessingState {
    let bitmap: Bitmap
    /// The same pixels without a gap between rows, as the controls want them.
    let pixels: [UInt8]
    let result: UnsafeMutableBufferPointer<UInt8>

    init() throws {
        let decoded = try CoderRegistry.standard.decode(Bytes(BenchmarkInput.photo.bytes()))
        let size = PixelSize(width: 1_920, height: 1_080)
        let screen = try ProcessingStep.resizeExactly(size, mode: .cover()).apply(to: decoded)
        bitmap = screen
        pixels = screen.withUnsafeBytes { bytes in
            (0..<screen.height).flatMap {
                bytes[$0 * screen.bytesPerRow..<$0 * screen.bytesPerRow + screen.width * 4]
            }
        }
        result = .allocate(capacity: pixels.count)
    }

    deinit { result.deallocate() }
}

func processingBenchmarks() {
    typealias Control = (ProcessingState) -> Int32
    let steps: [(String, ProcessingStep, Control)] = [
        (
            "blur 2 MP", .gaussianBlur(sigma: 10),
            { ctl_blur($0.pixels, 1_920, 1_080, $0.result.baseAddress, 10) }
        ),
        (
            "round corners 2 MP", .roundCorners(CornerRadii(40)),
            { ctl_round($0.pixels, 1_920, 1_080, $0.result.baseAddress, 40) }
        ),
    ]
    let long = Benchmark.Configuration.measuring(atMost: 200)
    for (name, step, control) in steps {
        measure(name, long) {
            try ProcessingState()
        } run: { state, _ in
            blackHole(try step.apply(to: state.bitmap).width)
        }

        measure("\(name) (C)", long) {
            try ProcessingState()
        } run: { state, _ in
            try ControlFailure.check(control(state), name)
        }
    }
}
