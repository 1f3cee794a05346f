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
            _ = try certificates.source()
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

    /// What libcurl is to read.
    private func text(_ source: TrustedCertificates.Source) throws -> String {
        guard let file = source.file else { return String(decoding: source.text, as: UTF8.self) }
        return try String(contentsOfFile: file, encoding: .utf8)
    }

    @Test("Additional certificates stand alone, or behind the system's") func additions() throws {
        let twice = [Self.certificate, Self.certificate]
        var alone = TrustedCertificates(TLSTrust(usesSystemCertificates: false, additionalCertificates: twice))
        let source = try alone.source()
        #expect(try text(source) == Self.certificate + "\n" + Self.certificate + "\n")
        #expect(!source.keepsFolder)
        #expect(try alone.source() == source)

        var standard = TrustedCertificates(TLSTrust())
        let system = try standard.source()
        var beside = TrustedCertificates(TLSTrust(additionalCertificates: [Self.certificate]))
        let both = try beside.source()
        if system == .standard {
            #expect(try both.keepsFolder && text(both) == Self.certificate + "\n")
        } else {
            #expect(try !both.keepsFolder && text(both) == text(system) + "\n" + Self.certificate + "\n")
        }
    }

    @Test("Memory that certificates are in is given back") func release() throws {
        let mark = UUID().uuidString
        func file() throws -> String? {
            var certificates = TrustedCertificates(TLSTrust(additionalCertificates: [Self.certificate + mark]))
            let source = try certificates.source()
            #expect(try text(source).hasSuffix(mark + "\n"))
            return source.file
        }
        guard let path = try file() else { return }
        // By now it may be another file's number.
        #expect((try? String(contentsOfFile: path, encoding: .utf8))?.contains(mark) != true)
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
