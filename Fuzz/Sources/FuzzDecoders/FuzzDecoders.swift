import Foundation
import WebImage

/// What libFuzzer calls with every input (https://llvm.org/docs/LibFuzzer.html). `FUZZ_FORMAT` names the format whose
/// decoder takes all inputs, whatever they look like; without it the bytes decide.
///
/// Every way in that bytes from outside have is walked: header, metadata, pixels, a small version, frames, and the same
/// bytes coming in parts. Typed errors are what is expected; a crash, a sanitizer's report, a hang or too much memory is
/// a finding.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    let bytes = UnsafeRawBufferPointer(start: start, count: count)
    for decoder in Subject.decoders {
        _ = try? decoder.info(of: bytes)
        _ = try? decoder.metadata(of: bytes)
        for size in [nil, PixelSize(width: 8, height: 8)] {
            // What multiplies is to stop when it is told to: the registry's limit on time works by this.
            let end = ContinuousClock.now + .seconds(3)
            let options = DecodeOptions(minimumSize: size, limits: Subject.limits, shouldContinue: { .now < end })
            try? decoder.decode(bytes, options: options, into: BitmapSink())
        }
        if let moving = decoder as? any AnimationDecoder { play(bytes, moving) }
        if let partial = decoder as? any PartialImageDecoder { watch(bytes, partial) }
    }
    return 0
}

private func play(_ bytes: UnsafeRawBufferPointer, _ decoder: any AnimationDecoder) {
    let registry = CoderRegistry(decoders: [decoder])
    let options = AnimationOptions(limits: Subject.limits)
    guard let moving = try? registry.animation(of: Bytes(Array(bytes)), options: options) else { return }
    // Backwards, so that frames are drawn on others that were not asked for.
    for index in (0..<min(4, moving.frameCount)).reversed() { _ = try? moving.frame(at: index) }
}

private func watch(_ bytes: UnsafeRawBufferPointer, _ decoder: any PartialImageDecoder) {
    let partial = decoder.makePartialDecoder(
        for: PartialRequest(
            limits: Subject.limits, optionsFor: { _ in DecodeOptions(limits: Subject.limits) },
            into: { _ in BitmapSink() }))
    do {
        for end in stride(from: bytes.count / 8, through: bytes.count, by: max(1, bytes.count / 8)) {
            _ = try partial.update(UnsafeRawBufferPointer(rebasing: bytes[..<end]))
        }
    } catch { /* It says that it has nothing more to show. */  }
}

private enum Subject {
    static let limits = DecodeLimits(maxPixels: 1 << 20, maxFrames: 64, maxTotalPixels: 1 << 24)

    static let decoders: [any ImageDecoder] = {
        let all = CoderRegistry.standard.decoders
        guard let name = ProcessInfo.processInfo.environment["FUZZ_FORMAT"] else { return all }
        return all.filter { $0.decodableFormats.contains { $0.name == name } }
    }()
}
