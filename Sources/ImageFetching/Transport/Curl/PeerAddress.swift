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
