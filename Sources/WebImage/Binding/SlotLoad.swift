#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// How a load for a view ended.
public enum SlotOutcome: Sendable {
    case loaded(ImageResponse)
    /// The load failed, or was cancelled: the error's code is then ``ImageError/Code/cancelled``. It is that too when the
    /// view went away.
    case failed(ImageError)
    /// The view was told to show something else before the load had ended. This is no error.
    case superseded

    /// The picture, if it was loaded.
    public var response: ImageResponse? {
        if case .loaded(let response) = self { response } else { nil }
    }

    /// Why there is none, if it failed.
    public var error: ImageError? {
        if case .failed(let error) = self { error } else { nil }
    }
}

/// One load for a view. It has exactly one outcome.
@MainActor
public final class SlotLoad {
    /// What was to be loaded; nil if there was no address.
    public let url: URL?
    /// The pipeline's task, for its events; nil before it begins, and for pictures from memory. It is another one after
    /// the view was hidden or has grown.
    public internal(set) var task: ImageTask?
    /// The outcome, once there is one. A picture from memory has it when the call returns.
    public private(set) var currentOutcome: SlotOutcome?

    private let completion: (@MainActor (SlotOutcome) -> Void)?
    private var awaiting: [CheckedContinuation<SlotOutcome, Never>] = []

    init(url: URL?, completion: (@MainActor (SlotOutcome) -> Void)?) {
        self.url = url
        self.completion = completion
    }

    /// The outcome, as soon as it is there. Ending the Swift task that awaits it does not cancel the load.
    public var outcome: SlotOutcome {
        get async {
            if let currentOutcome { return currentOutcome }
            return await withCheckedContinuation { awaiting.append($0) }
        }
    }

    func end(_ outcome: SlotOutcome) {
        guard currentOutcome == nil else { return }
        currentOutcome = outcome
        for continuation in awaiting { continuation.resume(returning: outcome) }
        awaiting = []
        // Always later, also for a picture from memory: a completion never runs inside the call that it belongs to.
        if let completion { Task { completion(outcome) } }
    }
}

extension SlotLoad {
    /// A load that nobody can show.
    ///
    /// - Parameters:
    ///   - request: what was to be loaded, if there was something.
    ///   - message: why, in a sentence.
    ///   - completion: called once on the main actor, after this call has returned.
    public static func refused(
        _ request: ImageRequest?, _ message: String, completion: (@MainActor (SlotOutcome) -> Void)? = nil
    ) -> SlotLoad {
        let load = SlotLoad(url: request?.url, completion: completion)
        load.end(
            .failed(
                ImageError(
                    .invalidRequest, stage: .request, message: message, redactedURL: request?.url.redacted ?? "")))
        return load
    }
}
