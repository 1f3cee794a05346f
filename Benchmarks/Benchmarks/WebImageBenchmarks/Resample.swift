import Benchmark
import BenchmarkInputs
import CControls
import WebImage

private final class ResampleState {
    let bitmap: Bitmap
    let result = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: 400 * 300 * 4)
    /// The same pixels without a gap between rows, as the control wants them.
    let pixels: [UInt8]

    init() throws {
        let decoded = try CoderRegistry.standard.decode(Bytes(BenchmarkInput.photo.bytes()))
        bitmap = decoded
        pixels = decoded.withUnsafeBytes { bytes in
            (0..<decoded.height).flatMap {
                bytes[$0 * decoded.bytesPerRow..<$0 * decoded.bytesPerRow + decoded.width * 4]
            }
        }
    }

    deinit { result.deallocate() }

    func control(_ filter: ctl_filter) throws {
        let status = ctl_resample(
            pixels, UInt32(bitmap.width), UInt32(bitmap.height), result.baseAddress, 400, 300, filter)
        try ControlFailure.check(status, "resample")
    }
}

func resampleBenchmarks() {
    let filters: [(String, ResampleFilter, ctl_filter)] = [
        ("box", .box, CTL_BOX), ("Lanczos3", .lanczos3, CTL_LANCZOS3),
    ]
    let long = Benchmark.Configuration.measuring(atMost: 200)
    for (name, filter, controlFilter) in filters {
        measure("resample 12 MP \(name)", long) {
            try ResampleState()
        } run: { state, _ in
            blackHole(try state.bitmap.resized(to: TargetSize(width: 400), filter: filter).width)
        }

        measure("resample 12 MP \(name) (C)", long) {
            try ResampleState()
        } run: { state, _ in
            try state.control(controlFilter)
        }
    }
}
