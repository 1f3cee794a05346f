import Benchmark
import BenchmarkInputs
import CControls
import Foundation
import WebImage

/// The whole way of a thumbnail in one thread: file in memory, so many pixels wide, file in memory again.
private func thumbnail(_ state: DecodeState, _ bytes: Bytes, width: Int = 400) throws {
    let (bitmap, _) = try state.stage.picture(from: bytes, target: TargetSize(width: width))
    blackHole(try state.coders.encode(bitmap, as: .jpeg, options: EncodeOptions(quality: 80)).count)
}

private func controlThumbnail(_ state: DecodeState) throws {
    var result: UnsafeMutablePointer<UInt8>?
    var count: UInt = 0
    try state.control("thumbnail") { ctl_jpeg_thumbnail($0, $1, 400, 300, 80, &result, &count) }
    free(result)
}

func thumbnailBenchmarks() {
    for (name, input) in [("JPEG", BenchmarkInput.photo), ("progressive JPEG", .progressive)] {
        let long = Benchmark.Configuration.measuring([.wallClock, .allocations], for: .seconds(4), atMost: 120)
        measure("thumbnail \(name)", long) {
            try DecodeState(input, frameBytes: 1)
        } run: { state, _ in
            try thumbnail(state, state.bytes)
        }

        measure("thumbnail \(name) (C)", long) {
            try DecodeState(input, frameBytes: 1)
        } run: { state, _ in
            try controlThumbnail(state)
        }

        measureFootprint("thumbnail memory \(name)", input) { try thumbnail($0, $1) }
        measureFootprint("thumbnail memory \(name) (C)", input) { state, _ in try controlThumbnail(state) }
    }

    for (name, input) in [("PNG", BenchmarkInput.png), ("WebP", .webp), ("AVIF", .avif)] {
        measure("thumbnail \(name)", .measuring([.wallClock], for: .seconds(4), atMost: 60)) {
            try DecodeState(input, frameBytes: 1)
        } run: { state, _ in
            try thumbnail(state, state.bytes)
        }
    }

    measureFootprint("thumbnail memory JPEG 108 MP", .hugeJPEG) { try thumbnail($0, $1, width: 300) }
}

/// Registers a benchmark of the memory that one operation needs, in a process that has done it for a tiny picture only:
/// its libraries are loaded, but nothing has the size of the real picture yet.
private func measureFootprint(
    _ name: String, _ input: BenchmarkInput, _ operation: @escaping (DecodeState, Bytes) throws -> Void
) {
    Benchmark(name, configuration: .measuring([.footprint], atMost: 1, warmup: 0)) {
        (benchmark: Benchmark, state: DecodeState) throws -> Void in
        let peak = try ResidentMemory.peak { try operation(state, state.bytes) }
        benchmark.measurement(.footprint, peak)
    } setup: {
        let state = try DecodeState(input, frameBytes: 1)
        try thumbnail(state, Bytes(BenchmarkInput.tinyJPEG.bytes()))
        return state
    }
}
