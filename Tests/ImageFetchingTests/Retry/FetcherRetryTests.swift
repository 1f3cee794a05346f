import ByteBuffers
import Foundation
import Synchronization
import Testing
import WebImageTesting

@testable import ImageFetching

/// Attempts through a fetcher, with pauses that only note how long they would have been.
@Suite struct FetcherRetryTests {
    let transport = ScriptedTransport()
    let pauses = Pauses()
    static let address = "https://example.org/a"

    final class Pauses: Sendable {
        let list = Mutex<[Duration]>([])
        let gate = AsyncGate(isOpen: true)
        let begun = Tally()

        func pause(_ duration: Duration) async throws {
            list.withLock { $0.append(duration) }
            begun.add()
            try await gate.pass()
        }
    }

    private func fetcher(_ configure: (inout Fetcher.Configuration) -> Void = { _ in }) -> Fetcher {
        var configuration = Fetcher.Configuration()
        configuration.maxConcurrentDownloads = 1
        configure(&configuration)
        return Fetcher(
            configuration: configuration, transports: [transport], sleep: { [pauses] in try await pauses.pause($0) })
    }

    private func request(_ path: String = "a") throws -> FetchRequest {
        FetchRequest(url: try #require(URL(string: "https://example.org/\(path)")))
    }

    private func error(_ fetcher: Fetcher, _ request: FetchRequest) async -> FetchError? {
        do throws(FetchError) {
            _ = try await fetcher.fetch(request)
            return nil
        } catch { return error }
    }

    /// Answers with the first, then the second, and so on; the last one stays.
    private func answer(_ answers: ScriptedTransport.Answer...) {
        let left = Mutex(answers)
        transport.answer(
            Self.address,
            with: .function { _ in
                left.withLock { $0.count > 1 ? $0.removeFirst() : $0.first ?? .status(404) }
            })
    }

    @Test("W027 P37: what fails for now is tried again, with growing pauses, and says how often")
    func triesAgain() async throws {
        answer(.status(503), .failure(FetchError(.connectionLost, "Gone.")), .body([1], mediaType: "image/png"))
        let resource = try await fetcher().fetch(request())
        #expect(resource.attempts == 3 && resource.bytes.count == 1)
        let pauses = pauses.list.withLock { $0 }
        #expect(pauses.count == 2 && pauses[0] <= .milliseconds(250) && pauses[1] <= .milliseconds(500))
    }

    @Test("P37: after the last attempt the error comes, and says how many there were")
    func givesUp() async throws {
        answer(.status(500))
        #expect(await error(fetcher(), try request())?.attempts == 3)
        #expect(transport.requests.count == 3)
    }

    @Test("P37: other errors, and requests that do not want it, are not tried again", arguments: [404, 403, 400])
    func notAgain(_ status: Int) async throws {
        answer(.status(status))
        #expect(await error(fetcher(), try request())?.attempts == 1)
        answer(.status(500))
        var single = try request()
        single.retry = RetryPolicy.none
        #expect(await error(fetcher(), single)?.attempts == 1)
        #expect(transport.requests.count == 2)
    }

    @Test("P37 F30: Retry-After is waited for; one that is too long ends it at once")
    func retryAfter() async throws {
        answer(.response(429, headers: [("Retry-After", "7")]), .body([1], mediaType: "image/png"))
        #expect(try await fetcher().fetch(request()).attempts == 2)
        let pause = try #require(pauses.list.withLock { $0.first })
        #expect(pause >= .seconds(7) && pause < .seconds(8))
        answer(.response(429, headers: [("Retry-After", "3600")]))
        #expect(await error(fetcher(), try request())?.attempts == 1)
    }

    @Test("P6 P13: while it waits for the next attempt a fetch holds no slot, and cancelling ends it at once")
    func slotWhileWaiting() async throws {
        answer(.status(503))
        transport.answer("https://example.org/b", with: .body([1], mediaType: "image/png"))
        pauses.gate.close()
        let fetcher = fetcher()
        let first = try request(), second = try request("b")
        let waiting = Task { await error(fetcher, first)?.code }
        await pauses.begun.reaches(1)
        #expect(try await fetcher.fetch(second).bytes.count == 1)
        waiting.cancel()
        #expect(await waiting.value == .cancelled)
        #expect(fetcher.downloadCounts == (0, 0))
    }

    @Test("P3: an unasked 304 is asked about once more, at once, and no oftener")
    func unaskedNotModified() async throws {
        answer(.status(304), .body([1], mediaType: "image/png"))
        #expect(try await fetcher().fetch(request()).bytes.count == 1)
        answer(.status(304))
        #expect(await error(fetcher(), try request())?.code == .protocolError)
        #expect(transport.requests.count == 4 && pauses.list.withLock { $0.isEmpty })
    }

    @Test("F30: an origin that fails and fails is left alone for a while; others are not")
    func circuit() async throws {
        answer(.status(500))
        transport.answer("https://example.com/a", with: .body([1], mediaType: "image/png"))
        let fetcher = fetcher { $0.retry = .none }
        for _ in 0..<5 { #expect(await error(fetcher, try request())?.code == .httpStatus) }
        let spared = await error(fetcher, try request())
        #expect(spared?.code == .originUnavailable && spared?.isRetryable == true)
        #expect(transport.requests.count == 5)
        let other = FetchRequest(url: try #require(URL(string: "https://example.com/a")))
        #expect(try await fetcher.fetch(other).bytes.count == 1)
        #expect(await error(self.fetcher { $0.sparesFailingOrigins = false }, try request())?.code == .httpStatus)
    }
}
