import Synchronization

extension AnimatedImagePlayer {
    /// The frames as they are to be seen, each when its time has come: for programs without a toolkit.
    ///
    /// Somebody has to ``play()``. A reader that is slow misses frames and never gets several at once. The sequence ends
    /// behind the last frame of the last loop, or when the task is cancelled; it waits while the player stands still. Every
    /// call makes a sequence of its own.
    ///
    /// ```swift
    /// let player = AnimatedImagePlayer(animation)
    /// player.play()
    /// for await frame in player.frames {
    ///     print(frame.index, frame.bitmap.size)
    /// }
    /// ```
    public var frames: Frames { Frames(player: self) }

    /// See ``AnimatedImagePlayer/frames``.
    public struct Frames: AsyncSequence, Sendable {
        fileprivate let player: AnimatedImagePlayer

        public func makeAsyncIterator() -> Iterator { Iterator(player) }

        public struct Iterator: AsyncIteratorProtocol {
            private let watch: Watch
            private var signals: AsyncStream<Void>.Iterator
            private var last: Int?

            fileprivate init(_ player: AnimatedImagePlayer) {
                let (stream, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
                signals = stream.makeAsyncIterator()
                watch = Watch(player, continuation)
            }

            public mutating func next(isolation actor: isolated (any Actor)? = #isolation) async -> Frame? {
                let player = watch.player
                while !Task.isCancelled {
                    if let frame = player.frame(), frame.serial != last {
                        last = frame.serial
                        return frame
                    }
                    if player.isOver { return nil }
                    let timer = watch.timer()
                    let signal: Void? = await signals.next(isolation: actor)
                    timer?.cancel()
                    if signal == nil { return nil }
                }
                return nil
            }
        }
    }

    /// Nothing more will be seen unless somebody asks for it.
    fileprivate var isOver: Bool {
        state.withLock { state in
            let isShown = state.shown?.index == state.playback.frame || state.failed.contains(state.playback.frame)
            return isShown && (state.playback.isFinished || state.playback.frameCount == 1)
        }
    }

    /// Hears from a player until it goes.
    fileprivate final class Watch: Sendable {
        let player: AnimatedImagePlayer
        private let continuation: AsyncStream<Void>.Continuation

        init(_ player: AnimatedImagePlayer, _ continuation: AsyncStream<Void>.Continuation) {
            self.player = player
            self.continuation = continuation
            player.state.withLock { $0.watchers[ObjectIdentifier(self)] = { continuation.yield() } }
        }

        deinit {
            _ = player.state.withLock { $0.watchers.removeValue(forKey: ObjectIdentifier(self)) }
        }

        /// A signal when the player has something else to say.
        func timer() -> Task<Void, Never>? {
            player.nextDeadline.map { deadline in
                Task { [sleep = player.budget.sleep, continuation] in
                    await sleep(deadline)
                    // Else the signal would outlive the timer, end the next one, and so on without a pause.
                    if !Task.isCancelled { continuation.yield() }
                }
            }
        }
    }
}
