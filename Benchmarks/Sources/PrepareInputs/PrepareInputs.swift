import BenchmarkInputs
import CControls
import Foundation
import WebImage

/// Makes the files that are measured on out of the sample photograph. Says nothing and does nothing when they are there.
///
///     PrepareInputs Samples/photograph.jpg
@main
enum PrepareInputs {
    static func main() throws {
        guard CommandLine.arguments.count == 2 else { throw Failure(description: "usage: PrepareInputs PHOTO.jpg") }
        let source = URL(filePath: CommandLine.arguments[1])
        let photo = try Bytes([UInt8](Data(contentsOf: source)))
        if photo.array == (try? BenchmarkInput.photo.bytes()), BenchmarkInput.allCases.allSatisfy(\.isThere) { return }

        let coders = CoderRegistry.standard
        let info = try photo.withUnsafeBytes { try coders.info(of: $0) }
        guard info.format == .jpeg, info.size == PixelSize(width: 4_000, height: 3_000) else {
            throw Failure(description: "The photograph has to be a JPEG of 4000 × 3000 pixels, not \(info.size).")
        }
        let pixels = try coders.decode(photo)
        let tiny = try PictureStage(coders: coders)
            .picture(from: photo, target: TargetSize(width: 16, height: 16, fit: .cover)).bitmap

        try FileManager.default.createDirectory(at: BenchmarkInput.directory, withIntermediateDirectories: true)
        try write(progressive(photo), as: .progressive)
        try write(coders.encode(pixels, as: .png), as: .png)
        try write(coders.encode(pixels, as: .webp), as: .webp)
        for (input, format) in [
            (BenchmarkInput.avif, ImageFormat.avif), (.heic, .heic), (.jxl, .jpegXL), (.tiff, .tiff), (.bmp, .bmp),
        ] {
            try write(coders.encode(pixels, as: format, options: EncodeOptions(quality: 80)), as: input)
        }
        try write(tiled(pixels), as: .hugeJPEG)
        try write(Bytes(Shapes.svg), as: .svg)
        try write(Bytes(Shapes.pdf), as: .pdf)
        try write(coders.encode(tiny, as: .jpeg), as: .tinyJPEG)
        try write(coders.encode(tiny, as: .png), as: .tinyPNG)
        let wandered = try coders.decode(photo, minimumSize: PixelSize(width: 1_000, height: 750))
        let frames = try wander(over: wandered, size: PixelSize(width: 640, height: 480), every: .milliseconds(40))
        let played = try wander(over: wandered, size: PixelSize(width: 480, height: 480), every: .milliseconds(33))
        try write(coders.encode(frames, as: .animatedWebP, options: EncodeOptions(quality: 75)), as: .movingWebP)
        try write(coders.encode(played, as: .animatedWebP, options: EncodeOptions(quality: 75)), as: .playedWebP)
        try write(
            CoderRegistry(encoders: [GIFEncoder(isDithered: false)]).encode(frames, as: .gif), as: .movingGIF)
        // The last one: what was interrupted is done again.
        try write(photo, as: .photo)
    }

    private static func write(_ bytes: Bytes, as input: BenchmarkInput) throws {
        try Data(bytes.array).write(to: input.url)
        print("\(input.rawValue): \(bytes.count) bytes")
    }

    /// 60 frames of no more than 640 × 480 out of a picture of at least 1000 × 750.
    private static func wander(
        over picture: Bitmap, size: PixelSize, every duration: Duration
    ) throws -> FrameSequence {
        guard picture.width >= 1_000, picture.height >= 750 else {
            throw Failure(description: "The picture is \(picture.size) pixels: too small to wander over.")
        }
        return FrameSequence(size: size, count: 60, isOpaque: true) { index in
            var frame = try Bitmap(uninitialized: size, format: .rgbx8)
            let stride = frame.bytesPerRow
            try frame.withUnsafeMutableBytes { target in
                picture.withUnsafeBytes { source in
                    for row in 0..<size.height {
                        let start = (row + index * 3) * picture.bytesPerRow + index * 5 * 4
                        UnsafeMutableRawBufferPointer(rebasing: target[row * stride..<row * stride + size.width * 4])
                            .copyMemory(
                                from: UnsafeRawBufferPointer(rebasing: source[start..<start + size.width * 4]))
                    }
                }
            }
            return AnimationFrame(frame, duration: duration)
        }
    }

    private static func progressive(_ photo: Bytes) throws -> Bytes {
        try photo.withUnsafeBytes { bytes in
            try made("rewrite the photograph") { result, count in
                ctl_jpeg_make_progressive(
                    bytes.baseAddress?.assumingMemoryBound(to: UInt8.self), bytes.count, &result, &count)
            }
        }
    }

    private static func tiled(_ picture: Bitmap) throws -> Bytes {
        try picture.withUnsafeBytes { bytes in
            guard picture.bytesPerRow == picture.width * 4 else {
                throw Failure(description: "The picture's rows are not close together.")
            }
            return try made("write 108 megapixels") { result, count in
                ctl_jpeg_tile(
                    bytes.baseAddress?.assumingMemoryBound(to: UInt8.self), UInt32(picture.width),
                    UInt32(picture.height), 3, 3, &result, &count)
            }
        }
    }

    /// What a control made, as bytes of ours.
    private static func made(
        _ what: String, _ body: (inout UnsafeMutablePointer<UInt8>?, inout UInt) -> Int32
    ) throws -> Bytes {
        var result: UnsafeMutablePointer<UInt8>?
        var count: UInt = 0
        guard body(&result, &count) == 0, let result else {
            throw Failure(description: "libjpeg cannot \(what).")
        }
        defer { free(result) }
        return try Bytes(copying: UnsafeRawBufferPointer(start: result, count: Int(count)))
    }

    private struct Failure: Error, CustomStringConvertible {
        let description: String
    }
}

extension BenchmarkInput {
    fileprivate var isThere: Bool { FileManager.default.fileExists(atPath: url.path) }
}
