import Foundation

/// A real tinyproxy on a free port of 127.0.0.1. It lives as long as this object.
package final class ForwardProxy: Sendable {
    package let port: UInt16
    private let folder: URL
    private let process: ServerProcess

    package init() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "tinyproxy-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        do {
            let ports: [UInt16]
            (process, ports) = try LoopbackPorts.start(1) { ports in
                let configuration = folder.appending(path: "tinyproxy.conf")
                let text = """
                    Port \(ports[0])
                    Listen 127.0.0.1
                    Timeout 60
                    MaxClients 100
                    LogLevel Info
                    ViaProxyName "a-proxy-of-a-test"

                    """
                try Data(text.utf8).write(to: configuration)
                return try ServerProcess("tinyproxy", ["-d", "-c", configuration.path]) {
                    $0.contains("Accepting connections")
                }
            }
            port = ports[0]
        } catch {
            try? FileManager.default.removeItem(at: folder)
            throw error
        }
        self.folder = folder
    }

    deinit {
        process.end(with: SIGKILL)
        try? FileManager.default.removeItem(at: folder)
    }

    /// For a transport's configuration or an environment.
    package var url: String { "http://127.0.0.1:\(port)" }
}
