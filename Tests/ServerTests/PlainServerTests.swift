import ByteBuffers
import Foundation
import ImageFetching
import ServerSupport
import Testing

/// What nginx does over plain HTTP, with and without a cache in front.
@Suite struct PlainServerTests {
    let server: NginxServer
    let transport = CurlTransport(configuration: .init(proxy: .none))

    init() throws { server = try NginxServer() }

    @Test("W052: a file comes as it lies there, from a server of the test's own")
    func file() async throws {
        let data = try server.put("a.jpg", byteCount: 200_000)
        let (head, body) = try await transport.get(server.url("a.jpg"))
        #expect(body == data && head.expectedByteCount == data.count && head.mediaType == "image/jpeg")
        #expect(head.headers["x-protocol"] == "HTTP/1.1")
        #expect(try server.stop() == ["/a.jpg"])
    }

    @Test("F26: a server that packs for others sends to us what lies there")
    func packing() async throws {
        let data = Data(String(repeating: "all the same ", count: 10_000).utf8)
        try data.write(to: server.root.appending(path: "packed/a.png"))
        // The server does pack, when it is asked to.
        let packed = try await transport.get(server.url("packed/a.png"), headers: ["Accept-Encoding": "gzip"])
        #expect(packed.head.headers["content-encoding"] == "gzip" && packed.body.count < data.count / 10)

        let url = try #require(URL(string: server.url("packed/a.png")))
        let fetched = try await Fetcher(transports: [transport]).fetch(FetchRequest(url: url))
        #expect(Data(fetched.bytes.array) == data)
        #expect(fetched.head.headers["content-encoding"] == nil)
    }

    @Test("F31: a part of a file comes as 206 with its place")
    func ranges() async throws {
        let data = try server.put("a.jpg", byteCount: 10_000)
        let tag = try #require(try await transport.get(server.url("a.jpg")).head.headers["etag"])
        let (head, body) = try await transport.get(
            server.url("a.jpg"), headers: ["Range": "bytes=4000-", "If-Range": tag])
        #expect(head.status == 206 && head.headers["content-range"] == "bytes 4000-9999/10000")
        #expect(body == data[4_000...])
        // Another version: the whole file.
        let (other, whole) = try await transport.get(
            server.url("a.jpg"), headers: ["Range": "bytes=4000-", "If-Range": "\"other\""])
        #expect(other.status == 200 && whole == data)
        let (beyond, _) = try await transport.get(server.url("a.jpg"), headers: ["Range": "bytes=10000-"])
        #expect(beyond.status == 416 && beyond.headers["content-range"] == "bytes */10000")
    }

    @Test("A file that has not changed is answered with 304 and no body")
    func revalidation() async throws {
        try server.put("a.jpg", byteCount: 100)
        let tag = try #require(try await transport.get(server.url("a.jpg")).head.headers["etag"])
        let (head, body) = try await transport.get(server.url("a.jpg"), headers: ["If-None-Match": tag])
        #expect(head.status == 304 && body.isEmpty && head.headers["etag"] == tag)
    }

    @Test("What a cache on the way says arrives: its hits, the age and the tag of the file")
    func proxyCache() async throws {
        let data = try server.put("a.jpg", byteCount: 5_000)
        let address = server.url("aged/a.jpg", .cached)
        for status in ["MISS", "HIT"] {
            let (head, body) = try await transport.get(address)
            #expect(body == data && head.headers["x-cache-status"] == status)
            #expect(head.headers["age"] == "7" && head.headers["etag"] != nil)
        }
        // The file behind the cache was asked for once.
        #expect(try server.stop().sorted() == ["/aged/a.jpg", "/aged/a.jpg", "/aged/a.jpg"])
    }
}
