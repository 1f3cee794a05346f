import Foundation
import Testing

@testable import WebImage

@Suite struct StoredAddressTests {
    private func fields(_ address: String, _ filter: CacheKeyFilter = .none) throws -> EntryMetadata {
        var options = RequestOptions()
        options.keyFilter = filter
        return EntryMetadata(
            StoredAddress.fields(of: ImageRequest(url: try #require(URL(string: address)), options: options)))
    }

    private func isFound(_ address: String, _ metadata: EntryMetadata) throws -> Bool {
        StoredAddress(try #require(URL(string: address))).isAddress(of: metadata)
    }

    @Test("An address that has no secrets is written down as it is, and nothing beside it")
    func plain() throws {
        let metadata = try fields("https://example.org/a.png#part")
        #expect(metadata.fields == ["url": "https://example.org/a.png"])
        #expect(try isFound("https://example.org/a.png", metadata))
        #expect(try isFound("https://example.org/a.png#other", metadata))
        #expect(
            try !isFound("https://example.org/a.png?x", metadata) && !isFound("https://example.org/b.png", metadata))
    }

    @Test("What was left out of an address is found again and cannot be read")
    func secrets() throws {
        let address = "https://me:pass@example.org/a.png?token=s3cret"
        let metadata = try fields(address)
        #expect(metadata["url"] == "https://example.org/a.png?…")
        // As sha256sum says of the address.
        #expect(metadata["address"] == "d99fc30e053445389b101b90e07b290f84c6480913ebf5f4ec847aa2d3b54dd9")
        #expect(try isFound(address, metadata))
        for other in ["https://example.org/a.png?token=s3cret", "https://me:pass@example.org/a.png", address + "&"] {
            #expect(try !isFound(other, metadata))
        }
    }

    @Test("What a filter leaves out does not matter, and only that")
    func filters() throws {
        let unsigned = try fields("https://h.org/a?v=1&Key-Pair-Id=k&Signature=1", .presigned)
        #expect(try isFound("https://h.org/a?v=1&Key-Pair-Id=k&Signature=2", unsigned))
        #expect(try isFound("https://h.org/a?v=1", unsigned))
        #expect(try !isFound("https://h.org/a?v=2&Key-Pair-Id=k&Signature=1", unsigned))
        let bare = try fields("https://h.org/a?v=1", .withoutQuery)
        #expect(try isFound("https://h.org/a?v=2", bare) && isFound("https://h.org/a", bare))
        // One that was stored with its query is another picture than one without.
        #expect(try !isFound("https://h.org/a", try fields("https://h.org/a?v=1")))
    }
}
