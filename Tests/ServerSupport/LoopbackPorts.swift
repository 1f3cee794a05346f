import Foundation

/// Ports of 127.0.0.1 that are free now. Another process may take one before a server does: try again with others then.
enum LoopbackPorts {
    static func free(_ count: Int) throws -> [UInt16] {
        var sockets: [Int32] = []
        // All are held until the last is found, so that no two are the same.
        defer { for socket in sockets { close(socket) } }
        return try (0..<count).map { _ in
            let (socket, port) = try bound()
            sockets.append(socket)
            return port
        }
    }

    /// Starts what needs ports, up to five times with other ones.
    static func start<Server>(_ count: Int, _ start: ([UInt16]) throws -> Server) throws -> (Server, [UInt16]) {
        for _ in 0..<4 {
            let ports = try free(count)
            if let server = try? start(ports) { return (server, ports) }
        }
        let ports = try free(count)
        return (try start(ports), ports)
    }

    private static func bound() throws -> (Int32, UInt16) {
        #if canImport(Glibc)
        let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
        #else
        let kind = SOCK_STREAM
        #endif
        let descriptor = socket(AF_INET, kind, 0)
        guard descriptor >= 0 else { throw ServerError("socket: \(String(cString: strerror(errno)))") }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isBound = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, length) == 0 && getsockname(descriptor, $0, &length) == 0
            }
        }
        guard isBound else {
            let reason = String(cString: strerror(errno))
            close(descriptor)
            throw ServerError("bind: \(reason)")
        }
        return (descriptor, UInt16(bigEndian: address.sin_port))
    }
}
