import CXXHash
public import Pixels

/// A picture that is laid over others: a watermark, a badge, a frame.
///
/// Two overlays are equal when they are called the same and are placed the same. Without a name of its own the pixels are
/// its name, by a checksum over all of them that is made once, here.
public struct Overlay: Hashable, Sendable {
    public let bitmap: Bitmap
    /// What tells the picture from others in cache keys.
    public let name: String
    /// Where it touches the picture below.
    public var gravity: Gravity
    /// How many pixels it is moved to the right from there; negative to the left.
    public var right: Int
    /// How many pixels it is moved down from there; negative up.
    public var down: Int
    /// 0 is invisible, 1 as it is.
    public var opacity: Double
    public var mode: BlendMode

    /// - Parameters:
    ///   - bitmap: any size and format. It is not scaled; resize it before where that is wanted.
    ///   - name: two different pictures must not have the same. Default `nil`: a checksum of size, format and pixels.
    ///   - gravity: default the bottom right corner.
    ///   - right: default 0.
    ///   - down: default 0.
    ///   - opacity: 0 to 1, default 1. Anything else is an error when the step is applied.
    ///   - mode: default ``BlendMode/sourceOver``.
    public init(
        _ bitmap: Bitmap, name: String? = nil, gravity: Gravity = .bottomRight, right: Int = 0, down: Int = 0,
        opacity: Double = 1, mode: BlendMode = .sourceOver
    ) {
        self.bitmap = bitmap
        self.name = name.map { "name:" + $0 } ?? Self.checksum(of: bitmap)
        self.gravity = gravity
        self.right = right
        self.down = down
        self.opacity = opacity
        self.mode = mode
    }

    public static func == (left: Overlay, right: Overlay) -> Bool { left.identity == right.identity }

    public func hash(into hasher: inout Hasher) { hasher.combine(identity) }

    var identity: [String] {
        [name, gravity.rawValue, "\(right)", "\(down)", number(opacity), mode.rawValue]
    }

    /// Where it lies in a picture of the given size; may stand out.
    func place(in size: PixelSize) -> PixelRect {
        var place = gravity.place(bitmap.size, in: size)
        // Far outside is outside, however far: the limit keeps sums from overflowing.
        let most = 1 << 40
        place.x += min(max(right, -most), most)
        place.y += min(max(down, -most), most)
        return place
    }

    /// Two XXH3-64 with different seeds over all rows: 128 bits.
    private static func checksum(of bitmap: Bitmap) -> String {
        let (format, row) = (bitmap.format, bitmap.width * bitmap.format.bytesPerPixel)
        var sums: (UInt64, UInt64) = (1, 2)
        bitmap.withUnsafeBytes { bytes in
            guard let base = bytes.baseAddress else { return }
            for y in 0..<bitmap.height {
                let line = base + y * bitmap.bytesPerRow
                sums = (xxh3_64_seeded(line, row, sums.0), xxh3_64_seeded(line, row, sums.1))
            }
        }
        let layout = "\(format.channels.rawValue).\(format.component.rawValue).\(format.alpha.rawValue)"
        return
            "pixels:\(bitmap.width)x\(bitmap.height):\(layout):\(String(sums.0, radix: 16)).\(String(sums.1, radix: 16))"
    }
}
