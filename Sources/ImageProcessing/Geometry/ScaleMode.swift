public import Pixels

/// How a picture of another shape comes to have exactly a given size.
public enum ScaleMode: Hashable, Sendable {
    /// Each axis by itself: the shape changes.
    case stretch
    /// All of the picture, and a colour around it.
    case letterbox(PixelColor = .clear)
    /// The whole size is filled; what stands out is cut off, and the gravity says which part is kept.
    case cover(Gravity = .center)
}

/// The directions in which a picture is mirrored.
public enum FlipAxis: String, Hashable, Sendable, CaseIterable {
    /// Left and right change places.
    case horizontal
    /// Top and bottom change places.
    case vertical
    /// Both: the picture is turned by 180°.
    case both
}
