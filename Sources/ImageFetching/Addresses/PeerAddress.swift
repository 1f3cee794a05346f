#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// The address of a machine that is about to be connected to.
public struct PeerAddress: Sendable, Hashable {
    /// Four bytes for IPv4, sixteen for IPv6, in network order.
    public let bytes: [UInt8]
    public let port: UInt16

    public init(bytes: [UInt8], port: UInt16) {
        self.bytes = bytes
        self.port = port
    }

    /// Reads `192.0.2.1` or `2001:db8::1`, strictly: no brackets, no zone, no decimal, octal or shortened IPv4. Nil for
    /// anything else.
    public init?(_ text: String, port: UInt16 = 0) {
        for (family, count) in [(AF_INET, 4), (AF_INET6, 16)] {
            var bytes = [UInt8](repeating: 0, count: count)
            if inet_pton(family, text, &bytes) == 1 {
                self.init(bytes: bytes, port: port)
                return
            }
        }
        return nil
    }

    /// Nil for an address that is neither IPv4 nor IPv6.
    init?(_ address: UnsafePointer<sockaddr>, length: Int) {
        let raw = UnsafeRawPointer(address)
        switch Int32(address.pointee.sa_family) {
        case AF_INET where length >= MemoryLayout<sockaddr_in>.size:
            var peer = raw.loadUnaligned(as: sockaddr_in.self)
            self.init(bytes: withUnsafeBytes(of: &peer.sin_addr) { Array($0) }, port: UInt16(bigEndian: peer.sin_port))
        case AF_INET6 where length >= MemoryLayout<sockaddr_in6>.size:
            var peer = raw.loadUnaligned(as: sockaddr_in6.self)
            self.init(
                bytes: withUnsafeBytes(of: &peer.sin6_addr) { Array($0) }, port: UInt16(bigEndian: peer.sin6_port))
        default:
            return nil
        }
    }
}

extension PeerAddress: CustomStringConvertible {
    /// `192.0.2.1:443` or `[2001:db8::1]:443`.
    public var description: String {
        let family = bytes.count == 4 ? AF_INET : bytes.count == 16 ? AF_INET6 : AF_UNSPEC
        var text = [CChar](repeating: 0, count: 64)
        guard family != AF_UNSPEC, inet_ntop(family, bytes, &text, socklen_t(text.count)) != nil else {
            return "\(bytes):\(port)"
        }
        let address = String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        return family == AF_INET ? "\(address):\(port)" : "[\(address)]:\(port)"
    }
}
