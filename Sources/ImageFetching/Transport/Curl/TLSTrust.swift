#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Whom secure connections trust.
///
/// ```swift
/// // A company's own authority beside the public ones.
/// let trust = TLSTrust(additionalCertificateFiles: ["/etc/company/ca.pem"])
/// let transport = CurlTransport(configuration: .init(trust: trust))
/// ```
public struct TLSTrust: Sendable, Hashable {
    /// Whether the certificates of the system are trusted. Without them only the additional ones are. Default true.
    public var usesSystemCertificates: Bool
    /// PEM files of certificates to trust in addition. They are read with the first secure transfer; one that cannot
    /// be read, or has no certificate, makes every secure transfer fail with `tls`. Default none.
    public var additionalCertificateFiles: [String]
    /// Certificates to trust in addition, as PEM text. Default none.
    public var additionalCertificates: [String]
    /// Hosts that are not asked who they are: anybody between here and there can read and change what they send.
    ///
    /// For a test server with a certificate of its own making, and then trusting that certificate is still better.
    /// Exact names without a port, compared without regard to case; there are no wildcards, and a redirect to another
    /// host is checked again. Default none.
    public var dangerouslyUnverifiedHosts: Set<String>

    public init(
        usesSystemCertificates: Bool = true, additionalCertificateFiles: [String] = [],
        additionalCertificates: [String] = [], dangerouslyUnverifiedHosts: Set<String> = []
    ) {
        self.usesSystemCertificates = usesSystemCertificates
        self.additionalCertificateFiles = additionalCertificateFiles
        self.additionalCertificates = additionalCertificates
        self.dangerouslyUnverifiedHosts = dangerouslyUnverifiedHosts
    }

    func trustsAnyone(at url: URL) -> Bool {
        guard !dangerouslyUnverifiedHosts.isEmpty, let host = url.host?.lowercased() else { return false }
        return dangerouslyUnverifiedHosts.contains { $0.lowercased() == host }
    }
}
