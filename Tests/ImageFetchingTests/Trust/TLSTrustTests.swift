import ByteBuffers
import Foundation
import Testing

@testable import ImageFetching

/// What of the settings of trust comes to libcurl.
@Suite struct TLSTrustTests {
    static let certificate = "-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n"

    private func failure(_ trust: TLSTrust) -> FetchError.Code? {
        var certificates = TrustedCertificates(trust)
        do throws(FetchError) {
            _ = try certificates.bundle()
            return nil
        } catch {
            return error.code
        }
    }

    @Test("C033 W050: nobody is trusted unchecked unless the very host is named") func exactHosts() throws {
        func isUnchecked(_ hosts: Set<String>, _ address: String) throws -> Bool {
            TLSTrust(dangerouslyUnverifiedHosts: hosts).trustsAnyone(at: try #require(URL(string: address)))
        }
        #expect(try !isUnchecked([], "https://x.org/"))
        #expect(try isUnchecked(["x.org"], "https://X.org:8443/a"))
        #expect(try isUnchecked(["X.ORG"], "https://x.org/"))
        for host in ["*", "*.org", "*.x.org", ".x.org", "org", "", "https://x.org", "x.org:443", "y.org"] {
            #expect(try !isUnchecked([host], "https://x.org/"))
        }
        #expect(try !isUnchecked(["x.org"], "https://w.x.org/"))
        #expect(try !isUnchecked(["x.org"], "https://x.org.evil.net/"))
        #expect(try !isUnchecked(["x.org"], "https://x.org@evil.net/"))
    }

    @Test("Without additions the choice is libcurl's own") func standard() throws {
        var certificates = TrustedCertificates(TLSTrust())
        #expect(try certificates.bundle() == nil)
    }

    @Test("Additional certificates stand behind the system's, or alone") func additions() throws {
        var alone = TrustedCertificates(
            TLSTrust(usesSystemCertificates: false, additionalCertificates: [Self.certificate, Self.certificate]))
        let bundle = try #require(try alone.bundle())
        let text = String(decoding: bundle.text, as: UTF8.self)
        #expect(text == Self.certificate + "\n" + Self.certificate + "\n" && !bundle.keepsFolder)

        var beside = TrustedCertificates(TLSTrust(additionalCertificates: [Self.certificate]))
        let whole = try #require(try beside.bundle())
        #expect(whole.text.suffix(Self.certificate.utf8.count + 1) == ArraySlice((Self.certificate + "\n").utf8))
        #expect(whole.keepsFolder)
    }

    @Test("Certificates that are not there are an error, not silently missing") func missing() throws {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("trust-\(UUID()).pem")
        defer { try? FileManager.default.removeItem(at: file) }
        try Data("no certificate".utf8).write(to: file)
        #expect(failure(TLSTrust(additionalCertificateFiles: [file.path])) == .tls)
        #expect(failure(TLSTrust(additionalCertificateFiles: ["/nowhere/ca.pem"])) == .tls)
        #expect(failure(TLSTrust(additionalCertificates: [""])) == .tls)
        #expect(failure(TLSTrust(usesSystemCertificates: false)) == .tls)
        try Data(Self.certificate.utf8).write(to: file)
        #expect(failure(TLSTrust(additionalCertificateFiles: [file.path])) == nil)
    }

    @Test("A transfer without trust fails before anything is sent, and http is not concerned") func transfers()
        async throws
    {
        let transport = CurlTransport(
            configuration: .init(proxy: .none, trust: TLSTrust(additionalCertificateFiles: ["/nowhere/ca.pem"])))
        func code(_ address: String) async throws -> FetchError.Code? {
            let request = FetchRequest(url: try #require(URL(string: address)))
            let error = await #expect(throws: FetchError.self) { try await transport.open(request, limits: .patient()) }
            return error?.code
        }
        #expect(try await code("https://127.0.0.1:1/") == .tls)
        #expect(try await code("http://127.0.0.1:1/") == .connectionFailed)
    }
}
