public import ByteBuffers
public import Pixels

/// A coder that knows more of a file than its first picture: the frames of an animation, or the pages of a document.
///
/// A registry finds it among its decoders. Coders are stateless; what belongs to one file is in the ``FrameSource``.
public protocol AnimationDecoder: ImageDecoder {
    /// The formats that ``frames(of:options:)`` takes.
    var animatedFormats: [ImageFormat] { get }

    /// Reads the headers of all frames, no pixels. Allocates nothing of the picture's size.
    ///
    /// A file that ends early, or goes wrong behind its first frame, gives the frames that are whole.
    ///
    /// - Throws: ``CodingError``; `tooManyFrames` as soon as there are more than the limits allow. The limits on pixels are
    ///   checked by ``AnimatedImage``.
    func frames(of bytes: Bytes, options: AnimationOptions) throws(CodingError) -> any FrameSource
}

/// The frames of one file. It draws each by itself; how they add up is ``AnimatedImage``'s business.
///
/// A format whose frames are whole pictures says so by its header: each lies on the whole canvas and replaces what was
/// there. ``AnimatedImage`` makes one call after the other, from any thread.
public protocol FrameSource: Sendable {
    var header: AnimationHeader { get }

    /// A frame costs little right after the one before it and much after another, as in a video. Default `false`.
    ///
    /// Where not all frames can be kept, the last ones are, so that playing again goes on from the first without a jump.
    var isSequential: Bool { get }

    /// Draws a frame's own pixels where they belong on the canvas, after its ``FrameHeader/blending``.
    ///
    /// Disposal is done by the caller, and nothing is written outside of the frame's place. A source whose frame needs
    /// others to be decoded first, as between two key frames of a video, sees to that itself.
    ///
    /// - Parameters:
    ///   - index: below the number of frames in the header.
    ///   - canvas: all rows of the canvas, ``PixelFormat/rgba8``. Where a frame replaces what was there its place may hold
    ///     anything.
    ///   - options: when to stop. Sizes in it do not matter.
    /// - Throws: ``CodingError``; then the canvas is thrown away.
    func draw(_ index: Int, onto canvas: RowStrip, options: DecodeOptions) throws(CodingError)
}

extension FrameSource {
    public var isSequential: Bool { false }
}
