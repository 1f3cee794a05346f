/// A colour with transparency, 8 bits each and not multiplied by alpha, in the picture's own colours: sRGB as a rule.
public struct PixelColor: Hashable, Sendable {
    public var red: UInt8
    public var green: UInt8
    public var blue: UInt8
    /// 0 is fully transparent, 255 opaque.
    public var alpha: UInt8

    /// - Parameters:
    ///   - red: 0 to 255, as the other two.
    ///   - green: 0 to 255.
    ///   - blue: 0 to 255.
    ///   - alpha: default opaque.
    public init(red: UInt8, green: UInt8, blue: UInt8, alpha: UInt8 = 255) {
        self.red = red
        self.green = green
        self.blue = blue
        self.alpha = alpha
    }

    /// A grey.
    public init(white: UInt8, alpha: UInt8 = 255) {
        self.init(red: white, green: white, blue: white, alpha: alpha)
    }

    /// Reads `#rgb`, `#rrggbb` and `#aarrggbb`, in either case; the number sign may be left out.
    ///
    /// Alpha comes first, as in ``hexadecimal``; in CSS it comes last.
    public init?(hexadecimal text: some StringProtocol) {
        let digits = text.hasPrefix("#") ? text.dropFirst() : text[...]
        guard digits.utf8.allSatisfy({ $0 != UInt8(ascii: "+") && $0 != UInt8(ascii: "-") }),
            let value = UInt32(digits, radix: 16)
        else { return nil }
        func byte(_ shift: UInt32) -> UInt8 { UInt8(truncatingIfNeeded: value >> shift) }
        func doubled(_ shift: UInt32) -> UInt8 { (byte(shift) & 15) * 17 }
        switch digits.utf8.count {
        case 3: self.init(red: doubled(8), green: doubled(4), blue: doubled(0))
        case 6: self.init(red: byte(16), green: byte(8), blue: byte(0))
        case 8: self.init(red: byte(16), green: byte(8), blue: byte(0), alpha: byte(24))
        default: return nil
        }
    }

    /// `#aarrggbb`, lower-case.
    public var hexadecimal: String {
        let digits = Array("0123456789abcdef".unicodeScalars)
        return [alpha, red, green, blue].reduce(into: "#") { text, byte in
            text.unicodeScalars.append(digits[Int(byte >> 4)])
            text.unicodeScalars.append(digits[Int(byte & 15)])
        }
    }

    public var isOpaque: Bool { alpha == 255 }
    /// Red, green and blue are equal.
    public var isGray: Bool { red == green && green == blue }

    /// Nothing: black without any opacity.
    public static let clear = PixelColor(red: 0, green: 0, blue: 0, alpha: 0)
    public static let black = PixelColor(white: 0)
    public static let white = PixelColor(white: 255)
}

extension PixelColor: CustomStringConvertible {
    /// As ``hexadecimal``.
    public var description: String { hexadecimal }
}
