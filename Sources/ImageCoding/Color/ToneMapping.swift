import Pixels

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Brings light meant for a display of high dynamic range into what sRGB can show, where white is 203 cd/m², the
/// reference white of ITU-R BT.2408.
///
/// 1. Samples become light as ITU-R BT.2100 says: PQ by its curve, HLG by its curve and the system gamma of 1.2 for a
///    display of 1,000 cd/m².
/// 2. The brightest of the three colours is brought down by the curve of ITU-R BT.2390 §5.4, which leaves what is dark
///    as it is, up to 88 cd/m² here, and bends the rest smoothly towards 203; the other two keep their ratio to it, so
///    hues stay. The curve starts from the luminance that the file says it was made for, else 1,000 cd/m²; what is
///    brighter still is white.
/// 3. A colour that sRGB does not have goes towards the grey of its own luminance just until it fits.
struct ToneMapping: Sendable {
    /// The light of sRGB's white, in cd/m².
    static let white = 203.0
    /// For what light the picture is taken to be made when the file does not say.
    static let usualPeak = 1_000.0

    private let isHybrid: Bool
    /// The light of each 16-bit sample: cd/m² over ``white`` for PQ, the scene's for HLG.
    private let light: [Float]
    /// What the brightest colour is multiplied by, over the root of its light's share of ``peak``.
    private let gain: RootTable
    /// sRGB's sample of a share of white.
    private let sample: RootTable
    private let peak: Float
    /// From the file's primaries to sRGB's, row by row.
    private let matrix: [Float]
    /// The luminance of the file's primaries.
    private let luminance: SIMD3<Float>

    /// `nil` unless colours are described as PQ or HLG.
    init?(_ description: ColorDescription) {
        let codes: ColorCodePoints? =
            switch description {
            case .codePoints(let codes): codes
            case .icc(let profile): profile.codePoints
            default: nil
            }
        guard let codes, codes.isHighDynamicRange else { return nil }
        isHybrid = codes.transfer == ColorCodePoints.hybridLogGamma
        let peak = isHybrid ? Self.usualPeak : min(max(codes.peakLuminance ?? Self.usualPeak, Self.white), 10_000)
        self.peak = Float(peak / Self.white)
        let isHybrid = isHybrid
        light = (0...65_535).map { code in
            let sample = Double(code) / 65_535
            return Float(isHybrid ? Self.sceneLight(hybrid: sample) : Self.light(quantised: sample) / Self.white)
        }
        gain = RootTable { share in
            let light = share * peak
            return light > 0 ? Self.compressed(light, peak: peak) / light : 1
        }
        sample = RootTable(TransferCurve.sRGB.sample)
        let toXYZ = ColorMatrix(codes.chromaticities)
        matrix = (ColorMatrix(.sRGB).inverse * toXYZ).values.map(Float.init)
        luminance = SIMD3(Float(toXYZ.values[3]), Float(toXYZ.values[4]), Float(toXYZ.values[5]))
    }

    // MARK: The curves

    /// PQ's light in cd/m² (BT.2100 table 4).
    static func light(quantised sample: Double) -> Double {
        let power = pow(sample, 32.0 / 2_523)
        return 10_000 * pow(max(power - 3_424.0 / 4_096, 0) / (2_413.0 / 128 - 2_392.0 / 128 * power), 8_192.0 / 1_305)
    }

    /// PQ's sample of a light in cd/m² (BT.2100 table 4).
    static func quantised(light: Double) -> Double {
        let power = pow(light / 10_000, 1_305.0 / 8_192)
        return pow((3_424.0 / 4_096 + 2_413.0 / 128 * power) / (1 + 2_392.0 / 128 * power), 2_523.0 / 32)
    }

    /// HLG's light before the scene, from 0 to 1 (BT.2100 table 5).
    static func sceneLight(hybrid sample: Double) -> Double {
        let (a, b, c) = (0.17883277, 0.28466892, 0.55991073)
        return sample <= 0.5 ? sample * sample / 3 : (exp((sample - c) / a) + b) / 12
    }

    /// BT.2390's curve from a display of `peak` to one of ``white``, all in cd/m²; both have a perfect black.
    static func compressed(_ light: Double, peak: Double) -> Double {
        let scale = quantised(light: peak)
        let share = min(quantised(light: light) / scale, 1)
        let highest = quantised(light: white) / scale
        let knee = 1.5 * highest - 0.5
        guard share > knee, knee < 1 else { return light }
        let t = (share - knee) / (1 - knee)
        let (t2, t3) = (t * t, t * t * t)
        let bent = (2 * t3 - 3 * t2 + 1) * knee + (t3 - 2 * t2 + t) * (1 - knee) + (3 * t2 - 2 * t3) * highest
        return self.light(quantised: bent * scale)
    }

    // MARK: Pixels

    /// sRGB of one pixel, each from 0 to 1.
    func mapped(_ red: UInt16, _ green: UInt16, _ blue: UInt16) -> SIMD3<Float> {
        var color = SIMD3(light[Int(red)], light[Int(green)], light[Int(blue)])
        if isHybrid {
            // The display's light is the scene's times its luminance to the power of 0.2.
            color *= peak * powf(max((color * luminance).sum(), 1e-9), 0.2)
        }
        let brightest = color.max()
        color *= brightest < peak ? gain[brightest / peak] : 1 / brightest
        color = SIMD3(
            matrix[0] * color.x + matrix[1] * color.y + matrix[2] * color.z,
            matrix[3] * color.x + matrix[4] * color.y + matrix[5] * color.z,
            matrix[6] * color.x + matrix[7] * color.y + matrix[8] * color.z)
        let gray = min(max((color * SIMD3(0.2126, 0.7152, 0.0722)).sum(), 0), 1)
        var share: Float = 1
        if color.max() > 1 { share = min(share, (1 - gray) / (color.max() - gray)) }
        if color.min() < 0 { share = min(share, gray / (gray - color.min())) }
        color = gray + (color - gray) * share
        return SIMD3(sample[color.x], sample[color.y], sample[color.z])
    }

    private static let pixelsPerStep = 256

    /// Converts `count` pixels to four channels; alpha is passed on as it is.
    func convert(
        _ pixels: UnsafeRawPointer, layout: SampleLayout, into target: UnsafeMutableRawPointer,
        component: PixelFormat.Component, count: Int
    ) {
        withUnsafeTemporaryAllocation(of: SIMD4<UInt16>.self, capacity: Self.pixelsPerStep) { wide in
            guard let base = wide.baseAddress else { return }
            for start in stride(from: 0, to: count, by: Self.pixelsPerStep) {
                let length = min(Self.pixelsPerStep, count - start)
                SampleRows.spread(
                    pixels + start * layout.bytesPerPixel, layout: layout, into: base, component: .uint16, count: length
                )
                let target = target + start * 4 * component.byteCount
                for index in 0..<length {
                    let pixel = wide[index]
                    let color = SIMD4(mapped(pixel.x, pixel.y, pixel.z), Float(pixel.w) / 65_535)
                    switch component {
                    case .uint8:
                        let bytes = SIMD4<UInt8>(truncatingIfNeeded: (color * 255).wholes(to: 255))
                        target.storeBytes(of: bytes, toByteOffset: index * 4, as: SIMD4<UInt8>.self)
                    case .uint16:
                        let words = SIMD4<UInt16>(truncatingIfNeeded: (color * 65_535).wholes(to: 65_535))
                        target.storeBytes(of: words, toByteOffset: index * 8, as: SIMD4<UInt16>.self)
                    case .float32: target.storeBytes(of: color, toByteOffset: index * 16, as: SIMD4<Float>.self)
                    }
                }
            }
        }
    }
}
