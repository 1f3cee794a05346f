package import Foundation

/// A certificate authority that nobody knows, with certificates for `localhost`, made anew by the `openssl` command.
package final class CertificateAuthority: Sendable {
    struct Identity: Sendable {
        let certificate: URL
        let key: URL
    }

    /// The authority's own certificate as a PEM file: who trusts it trusts the rest.
    package let certificate: URL
    /// For `localhost`, from yesterday on.
    let valid: Identity
    /// For `localhost`, for one second of the year 2020.
    let expired: Identity
    private let folder: URL

    package init() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "authority-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        self.folder = folder
        func file(_ name: String) -> URL { folder.appending(path: name) }
        (certificate, valid, expired) = (
            file("root.pem"), Identity(certificate: file("valid.pem"), key: file("server.key")),
            Identity(certificate: file("expired.pem"), key: file("server.key"))
        )
        try Data().write(to: file("index.txt"))
        try Data("01\n".utf8).write(to: file("serial"))
        try Data(Self.configuration(folder.path).utf8).write(to: file("openssl.conf"))
        let newKey = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"]
        try Self.openssl(
            ["req", "-x509", "-config", file("openssl.conf").path, "-extensions", "authority", "-days", "2"]
                + ["-subj", "/CN=Authority of a test", "-out", certificate.path, "-keyout", file("root.key").path]
                + newKey)
        try Self.openssl(
            ["req", "-new", "-config", file("openssl.conf").path, "-subj", "/CN=localhost"]
                + ["-out", file("request.pem").path, "-keyout", file("server.key").path] + newKey)
        let yesterday = Date.now.addingTimeInterval(-86_400), tomorrow = Date.now.addingTimeInterval(86_400)
        for (identity, start, end) in [
            (valid, Self.stamp(yesterday), Self.stamp(tomorrow)), (expired, "20200101000000Z", "20200101000001Z"),
        ] {
            try Self.openssl(
                ["ca", "-batch", "-notext", "-config", file("openssl.conf").path, "-extensions", "server"]
                    + ["-startdate", start, "-enddate", end]
                    + ["-in", file("request.pem").path, "-out", identity.certificate.path])
        }
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    /// RFC 5280 §4.1.2.5.2.
    private static func stamp(_ date: Date) -> String {
        date.formatted(.iso8601.dateSeparator(.omitted).timeSeparator(.omitted)).replacing("T", with: "")
    }

    private static func openssl(_ arguments: [String]) throws {
        let messages = FileManager.default.temporaryDirectory.appending(path: "openssl-\(UUID().uuidString)")
        try Data().write(to: messages)
        defer { try? FileManager.default.removeItem(at: messages) }
        let file = try FileHandle(forWritingTo: messages)
        let process = try ChildProcess(
            ServerProcess.executable("openssl"), arguments, errors: file.fileDescriptor)
        guard process.wait() == .init(code: 0, isKilled: false) else {
            let said = (try? String(contentsOf: messages, encoding: .utf8)) ?? ""
            throw ServerError("openssl \(arguments.first ?? "") failed: \(said)")
        }
    }

    private static func configuration(_ folder: String) -> String {
        """
        [req]
        distinguished_name = name
        prompt = no
        [name]
        [ca]
        default_ca = own
        [own]
        database = \(folder)/index.txt
        new_certs_dir = \(folder)
        serial = \(folder)/serial
        certificate = \(folder)/root.pem
        private_key = \(folder)/root.key
        default_md = sha256
        policy = any
        unique_subject = no
        [any]
        commonName = supplied
        [authority]
        basicConstraints = critical,CA:TRUE
        keyUsage = critical,keyCertSign
        subjectKeyIdentifier = hash
        [server]
        basicConstraints = CA:FALSE
        subjectAltName = DNS:localhost
        extendedKeyUsage = serverAuth
        """
    }
}
