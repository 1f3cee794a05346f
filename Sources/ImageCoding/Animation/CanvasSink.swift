import ByteBuffers
import Pixels

/// Lays the rows of one frame where they belong on a canvas.
///
/// Rows that replace what was there are decoded straight into the canvas; others pass through a strip that stays in the
/// processor's cache. Rows of another size than the place are refused.
final class CanvasSink: RowSink {
    private let canvas: RowStrip
    private let place: PixelRect
    private let isBlending: Bool
    private var strip: RawRegion?
    private var isOpaque = false
    private var next = 0

    /// How many rows a strip has when they are laid over others.
    private static let stripRows = 16

    /// - Parameters:
    ///   - place: inside of the canvas.
    ///   - size: the canvas's.
    init(_ canvas: RowStrip, place: PixelRect, in size: PixelSize, blending: FrameHeader.Blending) {
        precondition(place.clamped(to: size) == place, "\(place) is not inside of \(size)")
        self.canvas = canvas
        self.place = place
        isBlending = blending == .over
    }

    deinit {
        if let strip { RegionPool.shared.release(strip) }
    }

    private var stride: Int { place.width * 4 }

    func begin(_ header: RowHeader) throws {
        guard header.size == place.size else {
            throw CodingError(.malformed, "A frame is \(header.size) pixels and not \(place.size), as its header says.")
        }
        next = 0
        isOpaque = header.format.isOpaque
        if isBlending && !isOpaque && strip == nil {
            strip = try RegionPool.shared.allocate(byteCount: stride * min(Self.stripRows, place.height))
        }
    }

    func nextStrip() throws -> RowStrip {
        let left = place.height - next
        if let strip, isBlending, !isOpaque {
            return RowStrip(base: strip.base, bytesPerRow: stride, rowCount: min(Self.stripRows, left))
        }
        return RowStrip(base: target(next), bytesPerRow: canvas.bytesPerRow, rowCount: left)
    }

    func commit(rows: Int) throws {
        if let strip, isBlending, !isOpaque {
            for row in 0..<rows {
                SourceOver.blend(strip.base + row * stride, onto: target(next + row), count: place.width)
            }
        }
        next += rows
    }

    private func target(_ row: Int) -> UnsafeMutableRawPointer {
        canvas.base + (place.y + row) * canvas.bytesPerRow + place.x * 4
    }
}
