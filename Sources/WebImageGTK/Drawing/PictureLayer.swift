#if GTK
import CGTK
import Pixels
import WebImage

/// One thing that a canvas draws.
@MainActor
enum PictureLayer {
    case nothing
    case color(GdkRGBA)
    case texture(TiledTexture)

    /// - Throws: ``TextureError`` when GDK cannot show the pixels.
    init(_ standIn: StandIn) throws(TextureError) {
        switch standIn {
        case .bitmap(let bitmap): self = .texture(try TiledTexture(bitmap))
        case .color(let red, let green, let blue, let alpha):
            func part(_ value: UInt8) -> Float { Float(value) / 255 }
            self = .color(GdkRGBA(red: part(red), green: part(green), blue: part(blue), alpha: part(alpha)))
        }
    }

    /// The size of the pixels, if it has some.
    var size: PixelSize? {
        switch self {
        case .nothing, .color: nil
        case .texture(let texture): texture.bitmap.size
        }
    }

    var isNothing: Bool { if case .nothing = self { true } else { false } }

    func shows(_ bitmap: Bitmap) -> Bool {
        guard case .texture(let texture) = self else { return false }
        return texture.bitmap.address == bitmap.address && texture.bitmap.size == bitmap.size
    }

    func draw(_ snapshot: OpaquePointer, in box: graphene_rect_t) {
        switch self {
        case .nothing: break
        case .color(var color):
            var box = box
            gtk_snapshot_append_color(snapshot, &color, &box)
        case .texture(let texture): texture.draw(snapshot, in: box)
        }
    }

    /// Draws it in its own shape in the middle of the box, as far as it has one.
    func drawFitted(_ snapshot: OpaquePointer, in box: graphene_rect_t) {
        guard let size, size.isPositive else { return draw(snapshot, in: box) }
        let scale = min(box.size.width / Float(size.width), box.size.height / Float(size.height))
        let (width, height) = (Float(size.width) * scale, Float(size.height) * scale)
        let origin = graphene_point_t(
            x: box.origin.x + (box.size.width - width) / 2, y: box.origin.y + (box.size.height - height) / 2)
        draw(snapshot, in: graphene_rect_t(origin: origin, size: graphene_size_t(width: width, height: height)))
    }
}
#endif
