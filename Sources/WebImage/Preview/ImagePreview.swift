public import ImageCoding
public import Pixels

/// A picture as far as it has come. It is something to look at meanwhile and nothing else: no cache takes it, and it is
/// not processed.
///
/// Quality never falls from one preview of a task to the next: each shows more rows, or the whole picture finer.
public struct ImagePreview: Sendable {
    /// The pixels that are there: upright, in the wanted size.
    public let bitmap: Bitmap
    /// Where ``bitmap`` lies in the picture. All of it after the first pass of a picture that comes from coarse to fine; a
    /// part that grows while rows come one by one.
    public let region: PixelRect
    /// The size of the picture that is loaded.
    public let size: PixelSize
    /// What the original's header says.
    public let info: ImageInfo
    /// How often all of the picture was begun, from 1.
    public let pass: Int
    /// The frames that have come whole, two at the least, where the request wants an animation and the picture is one; then
    /// ``bitmap`` is the first of them. Each has the frames of the one before it and more, unless
    /// the download began anew: ``AnimatedImagePlayer/extend(to:poster:isGrowing:)`` has a player go on with them, and in the
    /// end with ``ImageResponse/animation``. Each holds a copy of the bytes that it is made of.
    public let animation: AnimatedImage?
}

/// Whether pictures are shown before all of their bytes have come.
///
/// Previews come from the network only, for formats that can be shown in parts, and for requests without processing. All
/// previews of a picture take no more than twice the work of decoding it. Of an animation, if one is wanted, they are its
/// first frame as it comes, and then all frames that have come.
public struct PreviewPolicy: Hashable, Sendable {
    /// The shortest time from one preview to the next; `nil` for no previews.
    let interval: Duration?

    public static let none = PreviewPolicy(interval: nil)

    /// Previews no more often than every fifth of a second.
    public static let shown = PreviewPolicy(interval: .milliseconds(200))

    /// Previews no more often than that.
    public static func shown(every interval: Duration) -> PreviewPolicy { PreviewPolicy(interval: interval) }
}
