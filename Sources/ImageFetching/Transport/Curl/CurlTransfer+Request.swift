import CCurlShim

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
    func withRequest<Result>(_ body: (wi_curl_request) -> Result) -> Result {
        let lines = request.headers.map { $0.value.isEmpty ? "\($0.name);" : "\($0.name): \($0.value)" }
        let copies = lines.map { strdup($0) }
        defer { for copy in copies { free(copy) } }
        let proxy: String? =
            switch configuration.proxy {
            case .environment: nil
            case .none: ""
            case .url(let address): address
            }
        var raw = wi_curl_request()
        raw.connect_timeout_ms = max(1, Int(limits.timeout / .milliseconds(1)))
        raw.context = Unmanaged.passUnretained(self).toOpaque()
        raw.on_header = { context, bytes, count in
            CurlTransfer.from(context)?.received(header: UnsafeRawBufferPointer(start: bytes, count: count)) ?? false
        }
        raw.on_body = { context, bytes, count in
            CurlTransfer.from(context)?.received(body: UnsafeRawBufferPointer(start: bytes, count: count))
                ?? WI_CURL_STOP
        }
        if configuration.allowsAddress != nil {
            raw.allows_address = { context, address, length in
                guard let address else { return false }
                return CurlTransfer.from(context)?.allows(address, Int(length)) ?? false
            }
        }
        return request.url.absoluteString.withCString { url in
            Self.withOptionalCString(proxy) { proxy in
                Self.withOptionalCString(configuration.certificateFile) { certificates in
                    copies.map { UnsafePointer($0) }.withUnsafeBufferPointer { headers in
                        raw.url = url
                        raw.proxy = proxy
                        raw.certificates = certificates
                        raw.headers = headers.baseAddress
                        raw.header_count = headers.count
                        return body(raw)
                    }
                }
            }
        }
    }

    private func allows(_ address: UnsafePointer<sockaddr>, _ length: Int) -> Bool {
        guard let allowed = configuration.allowsAddress else { return true }
        if let peer = PeerAddress(address, length: length), allowed(peer) { return true }
        refuse(FetchError(.forbiddenAddress, "\(request.url.redacted) leads to an address that is forbidden."))
        return false
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
