import CCurlShim

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// The certificates of a ``TLSTrust`` as one text, read once and kept.
///
/// libcurl takes one text of certificates or one file, and either takes the place of the system's file. So the system's
/// file goes into the text first. The other way, a hook into OpenSSL's own store, would tie us to one TLS library.
struct TrustedCertificates {
    private let trust: TLSTrust
    private var loaded: Result<CertificateBundle?, FetchError>?

    init(_ trust: TLSTrust) {
        self.trust = trust
    }

    /// Nil leaves the choice to libcurl.
    mutating func bundle() throws(FetchError) -> CertificateBundle? {
        if let loaded { return try loaded.get() }
        do throws(FetchError) {
            let bundle = try load()
            loaded = .success(bundle)
            return bundle
        } catch {
            loaded = .failure(error)
            throw error
        }
    }

    private func load() throws(FetchError) -> CertificateBundle? {
        var text: [UInt8] = []
        for path in trust.additionalCertificateFiles {
            guard let bytes = Self.contents(of: path) else {
                throw FetchError(.tls, "The certificates in \(path) cannot be read.")
            }
            try Self.append(bytes, from: path, to: &text)
        }
        for (index, certificate) in trust.additionalCertificates.enumerated() {
            try Self.append(Array(certificate.utf8), from: "additional certificate \(index + 1)", to: &text)
        }
        guard trust.usesSystemCertificates else {
            guard !text.isEmpty else { throw FetchError(.tls, "No certificate is trusted, so no server is.") }
            return CertificateBundle(text: text, keepsFolder: false)
        }
        guard !text.isEmpty else { return nil }
        return CertificateBundle(text: try Self.systemCertificates() + text, keepsFolder: true)
    }

    /// The system's file. Without one the system's folder alone has to do, which libcurl goes on using by itself.
    private static func systemCertificates() throws(FetchError) -> [UInt8] {
        var (file, folder): (UnsafePointer<CChar>?, UnsafePointer<CChar>?) = (nil, nil)
        wi_curl_default_trust(&file, &folder)
        if let file, let bytes = contents(of: String(cString: file)) { return bytes + [UInt8(ascii: "\n")] }
        guard folder == nil else { return [] }
        throw FetchError(.tls, "The system's own certificates cannot be read, so none can be added to them.")
    }

    private static func append(_ bytes: [UInt8], from place: String, to text: inout [UInt8]) throws(FetchError) {
        guard hasCertificate(bytes) else { throw FetchError(.tls, "There is no PEM certificate in \(place).") }
        text += bytes
        text.append(UInt8(ascii: "\n"))
    }

    /// RFC 7468 §5.
    private static func hasCertificate(_ bytes: [UInt8]) -> Bool {
        bytes.split(separator: UInt8(ascii: "\n")).contains { $0.starts(with: "-----BEGIN CERTIFICATE-----".utf8) }
    }

    /// Nil when the file cannot be read, or has more than 16 MiB.
    private static func contents(of path: String) -> [UInt8]? {
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return nil }
        defer { close(file) }
        var bytes: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 64 << 10)
        while bytes.count <= 16 << 20 {
            let count = read(file, &piece, piece.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return count == 0 ? bytes : nil }
            bytes += piece[..<count]
        }
        return nil
    }
}

/// PEM certificates to trust.
struct CertificateBundle: Sendable {
    let text: [UInt8]
    /// Whether the system's folder of certificates is trusted beside them.
    let keepsFolder: Bool
}
