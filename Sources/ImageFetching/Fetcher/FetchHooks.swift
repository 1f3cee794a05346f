public import ByteBuffers

/// What a program wants to do itself on the way of a fetch. Every part is optional and may suspend; a fetch that is
/// cancelled meanwhile ends at once and sends nothing more.
///
/// A part that throws ends the fetch: with its own error if that is a ``FetchError``, else with
/// ``FetchError/Code/requestRefused``, ``FetchError/Code/responseRefused`` or ``FetchError/Code/bodyRefused``. None of
/// them is tried again.
public struct FetchHooks: Sendable {
    /// Changes a request before it is sent, once for every hop: to sign it, or to add a token that has to be fetched
    /// first. The address may be changed too. It runs while the fetch holds its download slot.
    public var request: (@Sendable (FetchRequest) async throws -> FetchRequest)?

    /// Looks at the head of the response whose body is wanted, before the body is read. It may change it, its status and
    /// fields for example, or refuse it by throwing.
    public var response: (@Sendable (ResponseHead) async throws -> ResponseHead)?

    /// Changes the whole body, to decrypt it for example. An empty result is refused.
    public var body: (@Sendable (Bytes, ResponseHead) async throws -> Bytes)?

    public init(
        request: (@Sendable (FetchRequest) async throws -> FetchRequest)? = nil,
        response: (@Sendable (ResponseHead) async throws -> ResponseHead)? = nil,
        body: (@Sendable (Bytes, ResponseHead) async throws -> Bytes)? = nil
    ) {
        self.request = request
        self.response = response
        self.body = body
    }
}

extension [FetchHooks] {
    func prepare(_ request: FetchRequest) async throws(FetchError) -> FetchRequest {
        var request = request
        for hooks in self {
            guard let hook = hooks.request else { continue }
            request = try await Self.call(.requestRefused, "the request") { try await hook(request) }
        }
        return request
    }

    func inspect(_ head: ResponseHead) async throws(FetchError) -> ResponseHead {
        var head = head
        for hooks in self {
            guard let hook = hooks.response else { continue }
            head = try await Self.call(.responseRefused, "the response") { try await hook(head) }
        }
        return head
    }

    func transform(_ bytes: Bytes, _ head: ResponseHead) async throws(FetchError) -> Bytes {
        var bytes = bytes
        for hooks in self {
            guard let hook = hooks.body else { continue }
            let result = try await Self.call(.bodyRefused, "the body") { try await hook(bytes, head) }
            if result.isEmpty, !bytes.isEmpty {
                throw FetchError(.bodyRefused, "A hook made nothing of the body.", head: head)
            }
            bytes = result
        }
        return bytes
    }

    private static func call<Result>(
        _ code: FetchError.Code, _ what: String, _ hook: () async throws -> Result
    ) async throws(FetchError) -> Result {
        do {
            let result = try await hook()
            if Task.isCancelled { throw FetchError.cancelled }
            return result
        } catch let error as FetchError {
            throw error
        } catch is CancellationError {
            throw .cancelled
        } catch {
            throw FetchError(code, "A hook refused \(what): \(error)")
        }
    }
}
