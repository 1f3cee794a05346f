#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Sockets on 127.0.0.1 and waiting for them.
enum LoopbackSocket {
    enum Event { case ready, interrupted }

    /// A socket at a port that the system chooses.
    static func bound(listening: Bool) throws -> (descriptor: Int32, port: UInt16) {
        #if canImport(Glibc)
        let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
        #else
        let kind = SOCK_STREAM
        #endif
        let descriptor = socket(AF_INET, kind, 0)
        guard descriptor >= 0 else { throw OriginServer.SetUpError(call: "socket", number: errno) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let failed = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address -> String? in
                if bind(descriptor, address, length) != 0 { return "bind" }
                if getsockname(descriptor, address, &length) != 0 { return "getsockname" }
                if listening, listen(descriptor, 256) != 0 { return "listen" }
                return nil
            }
        }
        if let failed {
            let number = errno
            close(descriptor)
            throw OriginServer.SetUpError(call: failed, number: number)
        }
        return (descriptor, UInt16(bigEndian: address.sin_port))
    }

    /// Waits until `descriptor` can be read, unless one of the others can be first.
    static func wait(for descriptor: Int32, or interrupts: [Int32]) -> Event {
        var all = (interrupts + [descriptor]).map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
        while poll(&all, nfds_t(all.count), -1) < 0 {
            guard errno == EINTR else { return .interrupted }
        }
        return all.dropLast().contains { $0.revents != 0 } ? .interrupted : .ready
    }
}
