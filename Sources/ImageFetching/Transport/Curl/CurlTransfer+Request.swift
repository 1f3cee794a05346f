import CCurlShim
import SystemThreads

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif
#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

extension CurlTransfer {
    /// Builds the shim's request. Its pointers are valid only during the call, but for the context: the session holds
    /// this object for as long as libcurl has the transfer.
    func withRequest<Result>(_ certificates: TrustedCertificates.Source, _ body: (wi_curl_request) -> Result) -> Result
    {
        var raw = wi_curl_request()
        // libcurl counts in 32 bits.
        raw.connect_timeout_ms = min(max(1, Int(limits.timeout.clampedNanoseconds / 1_000_000)), Int(Int32.max))
        raw.context = Unmanaged.passUnretained(self).toOpaque()
        raw.on_header = { context, bytes, count in
            CurlTransfer.from(context)?.received(header: UnsafeRawBufferPointer(start: bytes, count: count)) ?? false
        }
        raw.on_body = { context, bytes, count in
            CurlTransfer.from(context)?.received(body: UnsafeRawBufferPointer(start: bytes, count: count))
                ?? WI_CURL_STOP
        }
        if !configuration.addresses.allowsEverything { Self.check(addressesOf: &raw) }
        raw.keeps_certificate_folder = certificates.keepsFolder
        raw.waits_for_connection = isSecure
        raw.trusts_anyone = configuration.trust.trustsAnyone(at: request.url)
        return request.url.absoluteString.withCString { url in
            headerLines.withCString { headers in
                Self.withOptionalCString(configuration.effectiveProxy) { proxy in
                    Self.withOptionalCString(certificates.file) { file in
                        certificates.text.withUnsafeBytes { text in
                            raw.url = url
                            raw.headers = headers
                            raw.proxy = proxy
                            raw.certificate_file = file
                            raw.certificate_text = text.isEmpty ? nil : text.baseAddress
                            raw.certificate_text_length = text.count
                            return body(raw)
                        }
                    }
                }
            }
        }
    }

    var isSecure: Bool { request.url.scheme?.lowercased() == "https" }

    /// Each line with a NUL behind it; no field has one inside.
    private var headerLines: String {
        request.headers.map { $0.value.isEmpty ? "\($0.name);\0" : "\($0.name): \($0.value)\0" }.joined()
    }

    private static func check(addressesOf raw: inout wi_curl_request) {
        raw.allows_address = { context, address, length in
            guard let transfer = CurlTransfer.from(context), let address else { return false }
            return transfer.allowsConnection(to: PeerAddress(address, length: Int(length)))
        }
        // A kept connection was allowed once; what allowed it may have changed its mind.
        raw.allows_peer = { context, address, port in
            guard let transfer = CurlTransfer.from(context), let address else { return false }
            return transfer.allowsRequest(
                to: PeerAddress(String(cString: address), port: UInt16(truncatingIfNeeded: port)))
        }
    }

    private static func from(_ context: UnsafeMutableRawPointer?) -> CurlTransfer? {
        context.map { Unmanaged<CurlTransfer>.fromOpaque($0).takeUnretainedValue() }
    }

    private static func withOptionalCString<Result>(
        _ text: String?, _ body: (UnsafePointer<CChar>?) -> Result
    ) -> Result {
        guard let text else { return body(nil) }
        return text.withCString(body)
    }
}
