#if GTK
/// The trials by their names.
enum Scenario {
    typealias Body = @MainActor () async throws -> Void

    static let all: [String: Body] = [
        "loop": LoopTrial.run,
        "show": ShowTrial.run,
        "screen": ShowTrial.screen,
        "slots": ShowTrial.slots,
        "failures": ShowTrial.failures,
        "long": LongTrial.run,
        "flicker": ReuseTrial.flicker,
        "reuse": ReuseTrial.reuse,
        "binds": ReuseTrial.binds,
        "destroyed": LifeTrial.destroyed,
        "child": LifeTrial.child,
        "crowd": LifeTrial.crowd,
        "hidden": LifeTrial.hidden,
        "sizes": SizeTrial.run,
        "transition": MotionTrial.transition,
        "indicators": MotionTrial.indicators,
        "animation": AnimationTrial.run,
        "grid": GridTrial.run,
        "unbind": GridTrial.unbind,
        "drag": DragTrial.run,
        "rows": PreviewTrial.rows,
        "passes": PreviewTrial.passes,
        "own": OwnTrial.run,
        "background": BackgroundTrial.run,
        "scroll": ScrollTrial.run,
        "scrollPlain": ScrollTrial.plain,
    ]
}
#endif
