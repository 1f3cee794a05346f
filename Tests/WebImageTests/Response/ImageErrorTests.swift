import Foundation
import Testing
import WebImage

@Suite struct ImageErrorTests {
    @Test("C302: Foundation's own description of an error is its sentence, and shows no secret")
    func localized() async throws {
        let url = try #require(URL(string: "gopher://user:secret@o.example/x?token=1"))
        let error = await #expect(throws: ImageError.self) {
            try await ImagePipeline(configuration: .init(diskCache: nil)).image(for: url)
        }
        #expect(error?.code.rawValue == "unsupportedScheme")
        #expect((error as (any Error)?)?.localizedDescription == "No transport serves the scheme \"gopher\".")
        #expect(error.map { "\($0)" }?.contains("secret") == false)
        #expect(error?.redactedURL == "gopher://o.example/x?…")
    }
}
