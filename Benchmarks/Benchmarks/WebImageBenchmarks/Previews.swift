import Benchmark
import BenchmarkInputs
import WebImage

/// All previews of a picture that comes in many portions. The whole decode that follows in a load is not in it.
func previewBenchmarks() {
    let inputs: [(String, BenchmarkInput)] = [
        ("JPEG", .photo), ("progressive JPEG", .progressive), ("PNG", .png), ("WebP", .webp), ("JPEG XL", .jxl),
    ]
    for (name, input) in inputs {
        measure("previews \(name) 12 MP", .measuring([.wallClock], for: .seconds(4), atMost: 20)) {
            try DecodeState(input, frameBytes: 1)
        } run: { state, _ in
            blackHole(try previews(of: state.bytes, portions: 256, coders: state.coders))
        }
    }
}

/// - Returns: how many there were.
private func previews(of bytes: Bytes, portions: Int, coders: CoderRegistry) throws -> Int {
    let request = PartialRequest(optionsFor: { _ in DecodeOptions() }, into: { _ in BitmapSink() })
    return try bytes.withUnsafeBytes { bytes in
        var count = 0
        var decoder: (any PartialDecoder)?
        for portion in 1...portions {
            let part = UnsafeRawBufferPointer(rebasing: bytes[..<(bytes.count * portion / portions)])
            decoder = decoder ?? coders.partialDecoder(for: part, request)
            if try decoder?.update(part) != nil { count += 1 }
        }
        return count
    }
}
