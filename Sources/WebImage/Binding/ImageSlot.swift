public import ImageFetching
public import Pixels

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// One place for a picture in a view, and the load that fills it.
///
/// What was asked for last is what is shown: a load that was overtaken is cancelled, ends as `superseded`, and shows
/// nothing, however late it comes. A picture that is in memory is shown before the call returns.
@MainActor
public final class ImageSlot {
    public let key: SlotKey
    /// What was asked for last.
    public private(set) var request: ImageRequest?
    /// How far the load is; at its end both figures are the bytes that came. Nil when nothing was heard of it.
    public private(set) var progress: FetchProgress?
    /// The load that was asked for last.
    public private(set) var load: SlotLoad?
    /// The picture that is shown, with all that is known of it; nil for placeholders and previews.
    public private(set) var shown: ImageResponse?

    /// What loads, from the next load on.
    public var pipeline: ImagePipeline

    private let target: any ImageTarget
    private var settings = SlotSettings()
    private var state = SlotState()
    private var task: ImageTask?
    /// What was said of the size while a transition ran.
    private var laterSize: TargetSize??

    /// - Parameters:
    ///   - key: tells the slots of a view apart. Default: the picture's.
    ///   - pipeline: what loads.
    ///   - target: shows the pictures; kept as long as the slot is.
    public init(_ key: SlotKey = .image, pipeline: ImagePipeline = .shared, target: any ImageTarget) {
        self.key = key
        self.pipeline = pipeline
        self.target = target
    }

    isolated deinit { close() }

    /// The address that was asked for last. It stays when the load has ended.
    public var url: URL? { request?.url }

    /// Whether something is on its way.
    public var isLoading: Bool { state.isLoading }

    // MARK: What callers do

    /// Shows a picture: at once if it is in memory, and otherwise when it is loaded.
    ///
    /// - Parameters:
    ///   - request: what to load; nil ends in an error and shows what a failure shows.
    ///   - settings: how it is shown.
    ///   - waitsForSize: whether the load begins only when ``fit(_:)`` says how large the picture is to be.
    ///   - completion: called once on the main actor, after this call has returned.
    /// - Returns: the load; it can be ignored.
    @discardableResult
    public func show(
        _ request: ImageRequest?, settings: SlotSettings = SlotSettings(), waitsForSize: Bool = false,
        completion: (@MainActor (SlotOutcome) -> Void)? = nil
    ) -> SlotLoad {
        let new = SlotLoad(url: request?.url, completion: completion)
        guard !state.isClosed else {
            new.end(.failed(request.map { .cancelled($0) } ?? .noAddress))
            return new
        }
        let hit = waitsForSize ? nil : cached(request)
        let source: SlotWish.Source = request == nil ? .nowhere : hit == nil ? .elsewhere : .memory
        let isSameItem = request != nil && request?.url == self.request?.url
        let effects = state.bind(
            SlotWish(source, isSameItem: isSameItem, knowsSize: !waitsForSize), rules: settings.rules)
        // Stopped when the new one runs: of one address both share what has come.
        let overtaken = effects.stops ? task : nil
        defer { overtaken?.cancel() }
        task = nil
        laterSize = nil
        if let ending = effects.previous {
            let response = ending == .loaded ? shown : nil
            load?.end(response.map { .loaded($0) } ?? .superseded)
        }
        load = new
        self.request = request
        self.settings = settings
        progress = nil
        if let hit { perform(effects, .success(hit)) } else { perform(effects, .failure(.noAddress)) }
        return new
    }

    /// Ends the load that is under way, if there is one, as cancelled. A picture of what is wanted stays.
    public func cancel() { perform(state.cancel()) }

    /// Ends the load and shows nothing, ready for the next use.
    public func reset() {
        perform(state.reset())
        request = nil
        laterSize = nil
        progress = nil
    }

    /// The view is gone: ends the load, and shows nothing more, whatever is asked for later.
    public func close() {
        perform(state.close())
        shown = nil
    }

    // MARK: What the view says

    /// Whether the load waits for ``fit(_:)``.
    public var needsSize: Bool { state.needsSize }

    /// Says how large the picture is to be. A load that has waited for that begins. If something smaller is shown or on its
    /// way, and the original has more, the picture is loaded anew, and what is shown stays until then. A picture that was cut
    /// to cover a box is loaded anew for every other box.
    ///
    /// - Parameter size: in pixels, not in units of the screen; nil for the picture's own size.
    public func fit(_ size: TargetSize?) {
        guard var wanted = request else { return }
        let isFirst = state.needsSize
        if state.isArriving { laterSize = .some(size) }
        guard isFirst || (grows(to: size, from: wanted.target) && state.canReload) else { return }
        wanted.target = size
        request = wanted
        let hit = pipeline.cachedResponse(for: wanted)
        let effects =
            isFirst ? state.sizeBecameKnown(isInMemory: hit != nil) : state.reload(isInMemory: hit != nil)
        perform(effects, hit.map { .success($0) })
    }

    /// Says whether nobody can see the view, see ``SlotSettings/whenHidden``. It is taken to be seen until it is said that it
    /// is not.
    public func setHidden(_ isHidden: Bool) { perform(isHidden ? state.hide() : state.appear()) }

    private func cached(_ request: ImageRequest?) -> ImageResponse? {
        guard let request else { return nil }
        return pipeline.cachedResponse(for: request)
    }

    private func grows(to new: TargetSize?, from old: TargetSize?) -> Bool {
        guard let old else { return false }
        if let new {
            func isMore(_ new: Int?, than old: Int?) -> Bool { (new ?? 0) > (old ?? .max) }
            let isCut = (new.fit == .cover || old.fit == .cover) && new != old
            guard isCut || isMore(new.width, than: old.width) || isMore(new.height, than: old.height) else {
                return false
            }
        }
        guard let shown, !state.isLoading else { return true }
        // What is drawn from a description has no end of pixels.
        if [.svg, .pdf].contains(shown.info.format) || new?.fit == .cover || old.fit == .cover { return true }
        return (shown.info.size.pixelCount ?? .max) > (shown.bitmap.size.pixelCount ?? .max)
    }

    // MARK: What is to be done

    private func perform(_ effects: SlotEffects, _ result: Result<ImageResponse, ImageError>? = nil) {
        let overtaken = effects.stops ? task : nil
        defer { overtaken?.cancel() }
        if effects.stops { task = nil }
        if let number = effects.start { start(number) }
        switch effects.urgency {
        case .lowered: task?.priority = .veryLow
        case .restored: task?.priority = request?.priority ?? .normal
        case nil: break
        }
        if let ending = effects.outcome { load?.end(outcome(ending, result)) }
        switch effects.activity {
        case .began: target.indicate(.began, in: key)
        case .progressed: target.indicate(.progressed(progress?.fraction), in: key)
        case .ended: target.indicate(.ended, in: key)
        case nil: break
        }
        if let showing = effects.show { show(showing, result) }
    }

    private func outcome(_ ending: SlotEffects.Ending, _ result: Result<ImageResponse, ImageError>?) -> SlotOutcome {
        switch (ending, result) {
        case (.superseded, _): .superseded
        case (.loaded, .success(let response)): .loaded(response)
        case (.loaded, _): shown.map { .loaded($0) } ?? .superseded
        case (.failed, .failure(let error)): .failed(error)
        case (.failed, _), (.cancelled, _): .failed(request.map { .cancelled($0) } ?? .noAddress)
        }
    }

    private func show(_ showing: SlotEffects.Showing, _ result: Result<ImageResponse, ImageError>?) {
        var content = SlotContent.nothing
        var moves = false
        var response: ImageResponse?
        switch showing {
        // Previews come by their own way.
        case .nothing, .preview: break
        case .placeholder: content = settings.waiting.placeholder.map { .placeholder($0) } ?? .nothing
        case .failurePicture: content = settings.failurePicture.map { .failure($0) } ?? .nothing
        case .picture(let isMoving):
            if case .success(let picture) = result {
                content = .picture(picture)
                response = picture
                moves = isMoving
            }
        }
        shown = response
        let number = state.attempt
        var whenShown: (@MainActor () -> Void)?
        if moves, settings.arrival.waitsForTransition {
            whenShown = { [weak self] in self?.transitionEnded(number) }
        }
        target.show(
            content, in: key, transition: moves ? settings.arrival.transition : nil, whenShown: whenShown)
    }

    private func transitionEnded(_ number: Int) {
        perform(state.transitionEnded(number))
        if let size = laterSize {
            laterSize = nil
            fit(size)
        }
    }

    // MARK: Loading

    private func start(_ number: Int) {
        guard let request else { return }
        let task = pipeline.task(for: request)
        self.task = task
        load?.task = task
        let events = task.events
        Task { [weak self] in
            for await event in events { self?.receive(event, of: number) }
        }
    }

    private func receive(_ event: ImageTask.Event, of number: Int) {
        switch event {
        case .progress(let progress):
            let effects = state.progressed(number)
            guard effects.activity != nil else { return }
            self.progress = progress
            perform(effects)
        case .preview(let preview):
            guard state.previewed(number, isWhole: false).show != nil else { return }
            shown = nil
            target.show(.preview(preview), in: key, transition: nil, whenShown: nil)
        case .provisional(let response):
            perform(state.previewed(number, isWhole: true), .success(response))
        case .finished(let result):
            finish(result, number)
        }
    }

    private func finish(_ result: Result<ImageResponse, ImageError>, _ number: Int) {
        let ending: SlotResult =
            switch result {
            case .success(let response): .picture(isFromMemory: response.tier == .memory)
            case .failure: .failure
            }
        guard number == state.attempt, state.isLoading else { return }
        let effects = state.finished(number, ending)
        task = nil
        if case .success(let response) = result {
            progress = FetchProgress(received: response.byteCount, expected: response.byteCount)
        }
        perform(effects, result)
    }
}

extension ImageError {
    /// There is nothing to ask for.
    static let noAddress = ImageError(
        .invalidRequest, stage: .request, message: "There is no address to load a picture from.", redactedURL: "")
}
