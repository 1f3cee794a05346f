import Foundation
import ImageFetching
import Testing
import WebImageTesting

/// What a fetcher is given when it is made.
@Suite struct FetcherSettingsTests {
    @Test("S057 S058 S059 C156 C157 C161: the defaults: six downloads, three of low priority, in order; 15 s for all")
    func defaults() {
        let configuration = Fetcher.Configuration()
        #expect(configuration.maxConcurrentDownloads == 6)
        #expect(configuration.maxConcurrentLowPriorityDownloads == 3)
        #expect(configuration.order == .fifo)
        #expect(configuration.timeout == .seconds(15) && configuration.limits.timeout == .seconds(15))
        #expect(configuration.limits.totalTimeout == nil)
    }

    @Test("S057 C157: the timeout that is set is the one that every transfer gets, zero as well")
    func timeout() async throws {
        let transport = NotingTransport(["https"])
        let url = try #require(URL(string: "https://example.org/a"))
        for timeout in [Duration.seconds(7), .zero] {
            var configuration = Fetcher.Configuration()
            configuration.timeout = timeout
            configuration.limits.totalTimeout = .seconds(60)
            let fetcher = Fetcher(configuration: configuration, transports: [transport])
            _ = try await fetcher.fetch(FetchRequest(url: url))
            #expect(transport.limits.last?.timeout == timeout)
            #expect(transport.limits.last?.totalTimeout == .seconds(60))
        }
    }

    @Test("C138 S059: a fetcher keeps the configuration that it was made with, whatever becomes of the original")
    func configuration() async throws {
        let origin = try OriginServer()
        origin.route("/a", .file([1]))
        var configuration = Fetcher.Configuration(userAgent: "first")
        let fetcher = Fetcher(
            configuration: configuration, transports: [CurlTransport(configuration: .init(proxy: .none))])
        configuration.userAgent = "second"
        configuration.timeout = .seconds(1)
        _ = try await fetcher.fetch(FetchRequest(url: origin.url("/a")))
        #expect(origin.record.requests.map { $0["User-Agent"] } == ["first"])
        #expect(fetcher.configuration.timeout == .seconds(15))
    }

    @Test("C140: a request's own fields come before the fetcher's; a fetcher without a name sends none")
    func fields() async throws {
        let origin = try OriginServer()
        origin.route("/a", .file([1]))
        let fetcher = Fetcher(
            configuration: .init(userAgent: nil, accept: "image/png", limits: .patient()),
            transports: [CurlTransport(configuration: .init(proxy: .none))])
        let own: HTTPHeaders = ["accept": "image/webp", "User-Agent": "me", "X-One": "1"]
        for headers in [HTTPHeaders(), own] {
            _ = try await fetcher.fetch(FetchRequest(url: origin.url("/a"), headers: headers))
        }
        let requests = origin.record.requests
        #expect(requests.map { $0["Accept"] } == ["image/png", "image/webp"])
        #expect(requests.map { $0["User-Agent"] } == [nil, "me"])
        #expect(requests.map { $0["X-One"] } == [nil, "1"])
    }

    @Test("C153 C189 S066: the first transport that serves a scheme is asked; without one the scheme is unsupported")
    func transports() async throws {
        let standard: [any Transport] = [CurlTransport(), FileTransport(), DataURLTransport()]
        #expect(standard.map(\.schemes) == [["http", "https"], ["file"], ["data"]])
        let first = NotingTransport(["https", "memory"])
        let second = NotingTransport(["https", "album"])
        let fetcher = Fetcher(transports: [first, second])
        func code(_ address: String) async throws -> FetchError.Code? {
            let request = FetchRequest(url: try #require(URL(string: address)))
            do throws(FetchError) {
                _ = try await fetcher.fetch(request)
                return nil
            } catch { return error.code }
        }
        for address in ["https://example.org/a", "MEMORY:b", "album://c/d"] { #expect(try await code(address) == nil) }
        #expect(first.addresses == ["https://example.org/a", "MEMORY:b"])
        #expect(second.addresses == ["album://c/d"])
        for address in ["http://example.org/a", "file:///etc/hostname"] {
            #expect(try await code(address) == .unsupportedScheme)
        }
    }
}
