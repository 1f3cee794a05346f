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
    /// A part of a picture of that size, in its place; nothing else of it is there yet.
    case part(TiledTexture, PixelRect, of: PixelSize)
    case animation(AnimationLayer)

    /// - Throws: ``TextureError`` when GDK cannot show the pixels.
    init(_ standIn: StandIn) throws(TextureError) {
        switch standIn {
        case .bitmap(let bitmap): self = .texture(try TiledTexture(bitmap))
        case .color(let red, let green, let blue, let alpha):
            func part(_ value: UInt8) -> Float { Float(value) / 255 }
            self = .color(GdkRGBA(red: part(red), green: part(green), blue: part(blue), alpha: part(alpha)))
        }
    }

    /// - Throws: ``TextureError`` when GDK cannot show the pixels.
    init(_ preview: ImagePreview) throws(TextureError) {
        self = .part(try TiledTexture(preview.bitmap), preview.region, of: preview.size)
    }

    /// The size of the picture, if it has pixels.
    var size: PixelSize? {
        switch self {
        case .nothing, .color: nil
        case .texture(let texture): texture.bitmap.size
        case .part(_, _, let whole): whole
        case .animation(let animation): animation.size
        }
    }

    var isNothing: Bool { if case .nothing = self { true } else { false } }

    var animation: AnimationLayer? { if case .animation(let animation) = self { animation } else { nil } }

    /// Whether it is a picture's own pixels already, or the animation itself.
    func shows(_ response: ImageResponse) -> Bool {
        switch self {
        case .nothing, .color, .part: false
        case .texture(let texture):
            response.animation == nil && texture.bitmap.address == response.bitmap.address
                && texture.bitmap.size == response.bitmap.size
        case .animation(let layer): layer.player.animation === response.animation
        }
    }

    func draw(_ snapshot: OpaquePointer, in box: graphene_rect_t) {
        switch self {
        case .nothing: break
        case .color(var color):
            var box = box
            gtk_snapshot_append_color(snapshot, &color, &box)
        case .texture(let texture): texture.draw(snapshot, in: box)
        case .part(let texture, let region, let whole):
            guard whole.isPositive else { break }
            let (across, down) = (box.size.width / Float(whole.width), box.size.height / Float(whole.height))
            let origin = graphene_point_t(
                x: box.origin.x + Float(region.x) * across, y: box.origin.y + Float(region.y) * down)
            let size = graphene_size_t(width: Float(region.width) * across, height: Float(region.height) * down)
            texture.draw(snapshot, in: graphene_rect_t(origin: origin, size: size))
        case .animation(let animation): animation.draw(snapshot, in: box)
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
