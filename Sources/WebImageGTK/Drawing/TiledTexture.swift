#if GTK
import CGTK
import Pixels

/// A bitmap as textures that read its own memory: one, or tiles of it when it is larger than a texture can be.
@MainActor
final class TiledTexture {
    /// The longest side of a texture. Every renderer can do that; cairo ends at 32,767 and many graphics cards at 16,384.
    static let maximumSide = 8_192
    /// The side of the tiles of what is larger.
    static let tileSide = 4_096

    private struct Tile {
        let texture: OpaquePointer
        let rect: PixelRect
    }

    let bitmap: Bitmap
    private var tiles: [Tile] = []

    init(_ original: Bitmap) throws(TextureError) {
        bitmap = try original.drawable()
        guard let format = bitmap.memoryFormat, let bytes = bitmap.sharedBytes else {
            throw TextureError(message: "GDK has no format for these pixels.")
        }
        defer { g_bytes_unref(bytes) }
        for rect in Self.rects(of: bitmap.size) {
            let offset = rect.y * bitmap.bytesPerRow + rect.x * bitmap.format.bytesPerPixel
            let length = rect.height * bitmap.bytesPerRow - rect.x * bitmap.format.bytesPerPixel
            let part = g_bytes_new_from_bytes(bytes, gsize(offset), gsize(length))
            defer { g_bytes_unref(part) }
            guard
                let texture = gdk_memory_texture_new(
                    gint(rect.width), gint(rect.height), format, part, gsize(bitmap.bytesPerRow))
            else { throw TextureError(message: "GDK makes no texture of \(rect.width) × \(rect.height) pixels.") }
            tiles.append(Tile(texture: texture, rect: rect))
        }
    }

    isolated deinit { for tile in tiles { g_object_unref(UnsafeMutableRawPointer(tile.texture)) } }

    var tileCount: Int { tiles.count }

    /// All of the picture, row by row.
    static func rects(of size: PixelSize) -> [PixelRect] {
        if max(size.width, size.height) <= maximumSide { return [PixelRect(size)] }
        return stride(from: 0, to: size.height, by: tileSide).flatMap { y in
            stride(from: 0, to: size.width, by: tileSide).map { x in
                PixelRect(
                    x: x, y: y, width: min(tileSide, size.width - x), height: min(tileSide, size.height - y))
            }
        }
    }

    func draw(_ snapshot: OpaquePointer, in box: graphene_rect_t) {
        if let only = tiles.first, tiles.count == 1 {
            var box = box
            return gtk_snapshot_append_texture(snapshot, only.texture, &box)
        }
        // Every border lies on a whole pixel of the screen: a border between two would let what is behind shine through.
        func place(_ position: Int, of length: Int, _ start: Float, _ extent: Float) -> Float {
            (start + Float(Double(position) / Double(length) * Double(extent))).rounded()
        }
        for tile in tiles {
            let left = place(tile.rect.x, of: bitmap.width, box.origin.x, box.size.width)
            let right = place(tile.rect.x + tile.rect.width, of: bitmap.width, box.origin.x, box.size.width)
            let top = place(tile.rect.y, of: bitmap.height, box.origin.y, box.size.height)
            let bottom = place(tile.rect.y + tile.rect.height, of: bitmap.height, box.origin.y, box.size.height)
            guard right > left, bottom > top else { continue }
            var part = graphene_rect_t(
                origin: graphene_point_t(x: left, y: top),
                size: graphene_size_t(width: right - left, height: bottom - top))
            gtk_snapshot_append_texture(snapshot, tile.texture, &part)
        }
    }
}
#endif
