#if GTK
import CGTK
import Dispatch
import ImageCoding
import Pixels
import WebImage

/// An animation that a canvas draws, one frame after the other.
///
/// A frame is taken from the player while GTK draws, and a timer asks for the next drawing when another frame is due. So an
/// animation that is not drawn asks for nothing and costs nothing, and one of ten frames a second has ten drawings.
@MainActor
final class AnimationLayer {
    let player: AnimatedImagePlayer
    private(set) var size: PixelSize
    private var texture: TiledTexture?
    private var timer: guint = 0
    /// How it was last asked to play.
    private var playback: WidgetPlayback
    private let redraw: @MainActor () -> Void

    /// - Parameters:
    ///   - poster: the first frame.
    ///   - isGrowing: more of its frames will come.
    ///   - redraw: asks for a drawing.
    init(
        _ animation: AnimatedImage, poster: Bitmap, isGrowing: Bool, playback: WidgetPlayback,
        redraw: @escaping @MainActor () -> Void
    ) throws(TextureError) {
        player = AnimatedImagePlayer(animation, poster: poster, mode: playback.mode, isGrowing: isGrowing)
        size = poster.size
        self.playback = playback
        self.redraw = redraw
        texture = try TiledTexture(poster)
        player.rate = playback.rate
        player.loopCount = playback.loopCount
        player.onChange = { [weak self] in
            DispatchQueue.main.async { MainActor.assumeIsolated { self?.redraw() } }
        }
        if playback.playsAtOnce { player.play() }
    }

    isolated deinit { stopTimer() }

    /// Takes how it is to play, if it is asked for something else than before.
    func take(_ new: WidgetPlayback) {
        guard new != playback else { return }
        playback = new
        player.mode = new.mode
        player.rate = new.rate
        player.loopCount = new.loopCount
    }

    /// Goes on where it is with more of the frames of its file, or with the file in another size.
    ///
    /// - Returns: `false`, and nothing changes, when it is another file's, or less of this one.
    func goOn(with animation: AnimatedImage, poster: Bitmap, isGrowing: Bool) -> Bool {
        guard player.goOn(with: animation, poster: poster, isGrowing: isGrowing) else { return false }
        size = poster.size
        return true
    }

    /// Whether somebody can see it.
    var isVisible: Bool {
        get { player.isVisible }
        set {
            guard newValue != player.isVisible else { return }
            if !newValue { stopTimer() }
            player.isVisible = newValue
        }
    }

    func draw(_ snapshot: OpaquePointer, in box: graphene_rect_t) {
        let frame = player.frame()
        if let frame, frame.bitmap.address != texture?.bitmap.address {
            // A frame for which there is no texture is passed over like one that cannot be decoded.
            if let next = try? TiledTexture(frame.bitmap) { texture = next }
        }
        texture?.draw(snapshot, in: box)
        startTimer()
    }

    private func startTimer() {
        stopTimer()
        guard player.isVisible, let deadline = player.nextDeadline else { return }
        let wait = deadline - ContinuousClock.now
        let milliseconds = Int64(wait / .milliseconds(1))
        timer = g_timeout_add_full(
            G_PRIORITY_DEFAULT, guint(clamping: max(1, milliseconds)),
            { context in
                guard let context else { return 0 }
                onMain(context) { context in
                    guard let layer = Unmanaged<WeakLayer>.fromOpaque(context).takeUnretainedValue().layer else {
                        return
                    }
                    layer.timer = 0
                    layer.redraw()
                }
                return 0
            }, Unmanaged.passRetained(WeakLayer(self)).toOpaque(),
            { context in if let context { Unmanaged<WeakLayer>.fromOpaque(context).release() } })
    }

    private func stopTimer() {
        guard timer != 0 else { return }
        g_source_remove(timer)
        timer = 0
    }

    /// What the timer holds: not the layer, which may go before a frame of minutes is over.
    @MainActor
    private final class WeakLayer {
        weak var layer: AnimationLayer?

        init(_ layer: AnimationLayer) { self.layer = layer }
    }
}
#endif
