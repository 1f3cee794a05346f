import Synchronization
import WebImage
import WebImageTesting

/// A picture on a scripted origin that has versions: it answers conditions by its tag and may change or fail.
final class VersionedOrigin: Sendable {
    struct State {
        var tag = "\"1\""
        var body: [UInt8]
        var fields: [(String, String)]
        var failure: ScriptedTransport.Answer?
    }

    let address: String
    private let state: Mutex<State>

    init(
        _ scene: PipelineScene, body: [UInt8], fields: [(String, String)],
        address: String = "https://example.org/photo.png"
    ) {
        self.address = address
        state = Mutex(State(body: body, fields: fields))
        scene.transport.answer(address, with: .function { [self] in answer(to: $0) })
    }

    func change(_ change: (inout State) -> Void) { state.withLock { change(&$0) } }

    private func answer(to request: FetchRequest) -> ScriptedTransport.Answer {
        state.withLock { state in
            if let failure = state.failure { return failure }
            let fields = state.fields + [("ETag", state.tag)]
            if request.headers["If-None-Match"] == state.tag { return .response(304, headers: fields) }
            return .response(200, headers: fields, body: state.body)
        }
    }
}
