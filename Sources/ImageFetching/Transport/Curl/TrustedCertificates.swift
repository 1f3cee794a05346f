import CCurlShim

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Where libcurl finds the certificates of a ``TLSTrust``; settled once and kept.
///
/// libcurl takes one file of certificates, which it reads once, or one text, which it reads again for every connection.
/// Debian's has both a file and a folder, and beside a folder libcurl reads the file again too: 19 ms of CPU for every
/// connection instead of 1 ms (libcurl 7.88, 140 certificates). So it is told of the file alone, and additions go behind
/// a copy of it in memory that has a file's path.
struct TrustedCertificates {
    /// What libcurl is told.
    struct Source: Equatable {
        var file: String?
        /// Empty for none.
        var text: [UInt8] = []
        /// Whether the system's folder of certificates is trusted beside them.
        var keepsFolder = true

        /// libcurl's own choice.
        static let standard = Source()
    }

    private let trust: TLSTrust
    private var settled: Result<Source, FetchError>?
    private var memory: MemoryFile?

    init(_ trust: TLSTrust) {
        self.trust = trust
    }

    mutating func source() throws(FetchError) -> Source {
        if let settled { return try settled.get() }
        do throws(FetchError) {
            let source = try settle()
            settled = .success(source)
            return source
        } catch {
            settled = .failure(error)
            throw error
        }
    }

    private mutating func settle() throws(FetchError) -> Source {
        let additions = try additions()
        guard trust.usesSystemCertificates else {
            guard !additions.isEmpty else { throw FetchError(.tls, "No certificate is trusted, so no server is.") }
            return readable(additions)
        }
        var (file, folder): (UnsafePointer<CChar>?, UnsafePointer<CChar>?) = (nil, nil)
        wi_curl_default_trust(&file, &folder)
        let path = file.map { String(cString: $0) }
        if additions.isEmpty {
            guard let path, access(path, R_OK) == 0 else { return .standard }
            return Source(file: path, keepsFolder: false)
        }
        if let path, let system = Self.contents(of: path) {
            return readable(system + [UInt8(ascii: "\n")] + additions)
        }
        guard folder != nil else {
            throw FetchError(.tls, "The system's own certificates cannot be read, so none can be added to them.")
        }
        return Source(text: additions, keepsFolder: true)
    }

    private mutating func readable(_ text: [UInt8]) -> Source {
        memory = MemoryFile(text)
        guard let memory else { return Source(text: text, keepsFolder: false) }
        return Source(file: memory.path, keepsFolder: false)
    }

    private func additions() throws(FetchError) -> [UInt8] {
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
        return text
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

/// Bytes in memory that can be opened by a path for as long as this object lives. Linux only.
private final class MemoryFile: Sendable {
    let path: String
    private let descriptor: Int32

    /// Nil where the system has no such thing, or does not show it under a path.
    init?(_ bytes: [UInt8]) {
        descriptor = bytes.withUnsafeBytes { wi_curl_anonymous_file($0.baseAddress, $0.count) }
        path = "/proc/self/fd/\(descriptor)"
        guard descriptor >= 0 else { return nil }
        if access(path, R_OK) != 0 { return nil }
    }

    deinit {
        if descriptor >= 0 { close(descriptor) }
    }
}
