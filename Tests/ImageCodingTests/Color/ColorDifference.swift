import Foundation

/// ΔE2000, how far apart two colours look: about 1 is the least that people see side by side (CIE 142:2001; Sharma, Wu and
/// Dalal 2005).
enum ColorDifference {
    struct Lab {
        var l: Double
        var a: Double
        var b: Double
    }

    /// Of sRGB bytes, under D65.
    static func between(_ first: [UInt8], _ second: [UInt8]) -> Double {
        between(lab(first), lab(second))
    }

    static func lab(_ color: [UInt8]) -> Lab {
        let light = color.map { byte -> Double in
            let sample = Double(byte) / 255
            return sample <= 0.04045 ? sample / 12.92 : pow((sample + 0.055) / 1.055, 2.4)
        }
        func f(_ share: Double) -> Double { share > 216.0 / 24_389 ? cbrt(share) : (24_389.0 / 27 * share + 16) / 116 }
        let x = f((0.4124564 * light[0] + 0.3575761 * light[1] + 0.1804375 * light[2]) / 0.95047)
        let y = f(0.2126729 * light[0] + 0.7151522 * light[1] + 0.0721750 * light[2])
        let z = f((0.0193339 * light[0] + 0.1191920 * light[1] + 0.9503041 * light[2]) / 1.08883)
        return Lab(l: 116 * y - 16, a: 500 * (x - y), b: 200 * (y - z))
    }

    static func between(_ first: Lab, _ second: Lab) -> Double {
        let meanC = (hypot(first.a, first.b) + hypot(second.a, second.b)) / 2
        let g = 0.5 * (1 - (pow(meanC, 7) / (pow(meanC, 7) + pow(25, 7))).squareRoot())
        let (a1, a2) = (first.a * (1 + g), second.a * (1 + g))
        let (c1, c2) = (hypot(a1, first.b), hypot(a2, second.b))
        func hue(_ a: Double, _ b: Double) -> Double {
            guard a != 0 || b != 0 else { return 0 }
            let angle = atan2(b, a) * 180 / .pi
            return angle < 0 ? angle + 360 : angle
        }
        let (h1, h2) = (hue(a1, first.b), hue(a2, second.b))
        var turn = c1 * c2 == 0 ? 0 : h2 - h1
        if turn > 180 { turn -= 360 }
        if turn < -180 { turn += 360 }
        let deltaL = second.l - first.l
        let deltaC = c2 - c1
        let deltaH = 2 * (c1 * c2).squareRoot() * sin(turn / 2 * .pi / 180)

        let meanL = (first.l + second.l) / 2
        let meanC2 = (c1 + c2) / 2
        var meanH = h1 + h2
        if c1 * c2 != 0 {
            meanH /= 2
            if abs(h1 - h2) > 180 { meanH += h1 + h2 < 360 ? 180 : -180 }
        }
        func cosine(_ degrees: Double) -> Double { cos(degrees * .pi / 180) }
        let t =
            1 - 0.17 * cosine(meanH - 30) + 0.24 * cosine(2 * meanH) + 0.32 * cosine(3 * meanH + 6)
            - 0.20 * cosine(4 * meanH - 63)
        let sl = 1 + 0.015 * pow(meanL - 50, 2) / (20 + pow(meanL - 50, 2)).squareRoot()
        let sc = 1 + 0.045 * meanC2
        let sh = 1 + 0.015 * meanC2 * t
        let rc = 2 * (pow(meanC2, 7) / (pow(meanC2, 7) + pow(25, 7))).squareRoot()
        let rt = -sin(60 * exp(-pow((meanH - 275) / 25, 2)) * .pi / 180) * rc
        let (l, c, h) = (deltaL / sl, deltaC / sc, deltaH / sh)
        return (l * l + c * c + h * h + rt * c * h).squareRoot()
    }
}
