import Foundation
import Synchronization

/// A real nginx on a free port of 127.0.0.1 that serves a folder of its own. It lives as long as this object.
final class NginxServer: Sendable {
    /// Why there is no server, in a sentence for the one who runs the tests.
    struct StartError: Error, CustomStringConvertible {
        let description: String
    }

    /// What is put here is served.
    let root: URL
    let port: UInt16

    private let folder: URL
    private let process: Mutex<Process?>

    init() throws {
        guard let executable = Self.executable else {
            throw StartError(description: "There is no nginx for this test to talk to: run `make packages`.")
        }
        let folder = FileManager.default.temporaryDirectory.appending(path: "nginx-\(UUID().uuidString)")
        let root = folder.appending(path: "root")
        try FileManager.default.createDirectory(at: root, withIntermediateDirectories: true)
        var failure = ""
        // Another process may take the port before nginx does.
        for _ in 0..<5 {
            let port = try Self.freePort()
            let started: Process
            switch try Self.start(executable, port: port, folder: folder) {
            case .success(let process): started = process
            case .failure(let error):
                failure = error.description
                continue
            }
            self.root = root
            self.port = port
            self.folder = folder
            process = Mutex(started)
            return
        }
        try? FileManager.default.removeItem(at: folder)
        throw StartError(description: "nginx does not start: \(failure)")
    }

    deinit {
        end(with: SIGTERM)
        try? FileManager.default.removeItem(at: folder)
    }

    func url(_ path: String) -> String { "http://127.0.0.1:\(port)/\(path)" }

    /// Lets nginx finish what it is at, ends it, and returns the paths that were asked for, in order.
    func stop() throws -> [String] {
        end(with: SIGQUIT)
        let log = try String(contentsOf: folder.appending(path: "access.log"), encoding: .utf8)
        return log.split(separator: "\n").map(String.init)
    }

    private func end(with signal: Int32) {
        let running = process.withLock { process in
            defer { process = nil }
            return process
        }
        guard let running else { return }
        kill(running.processIdentifier, signal)
        running.waitUntilExit()
    }
}

extension NginxServer {
    private static var executable: URL? {
        let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
        return (path.split(separator: ":").map(String.init) + ["/usr/sbin", "/usr/local/sbin", "/opt/homebrew/bin"])
            .map { URL(filePath: $0).appending(path: "nginx") }
            .first { FileManager.default.isExecutableFile(atPath: $0.path) }
    }

    /// Starts nginx and reads what it says until it says that its sockets are open and its workers begin.
    private static func start(
        _ executable: URL, port: UInt16, folder: URL
    ) throws -> Result<Process, StartError> {
        let configuration = folder.appending(path: "nginx.conf")
        try Data(text(port: port, folder: folder.path).utf8).write(to: configuration)
        let messages = Pipe()
        let process = Process()
        process.executableURL = executable
        process.arguments = ["-e", "stderr", "-p", folder.path, "-c", configuration.path]
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = FileHandle.nullDevice
        process.standardError = messages
        try process.run()

        var said = ""
        while !said.contains("start worker process") {
            var event = pollfd(fd: messages.fileHandleForReading.fileDescriptor, events: Int16(POLLIN), revents: 0)
            let ready = poll(&event, 1, 30_000)
            if ready < 0, errno == EINTR { continue }
            let news = ready > 0 ? messages.fileHandleForReading.availableData : Data()
            guard !news.isEmpty else {
                process.terminate()
                process.waitUntilExit()
                return .failure(StartError(description: said))
            }
            said += String(decoding: news, as: UTF8.self)
        }
        // Nobody reads on: a full pipe must not stop the server.
        messages.fileHandleForReading.readabilityHandler = { _ = $0.availableData }
        return .success(process)
    }

    private static func text(port: UInt16, folder: String) -> String {
        """
        daemon off;
        \(geteuid() == 0 ? "user root;" : "")
        worker_processes 1;
        pid "\(folder)/nginx.pid";
        error_log stderr notice;
        events { worker_connections 128; }
        http {
            types { image/jpeg jpg; image/png png; image/webp webp; text/html html; }
            log_format path "$uri";
            access_log "\(folder)/access.log" path;
            client_body_temp_path "\(folder)/body";
            proxy_temp_path "\(folder)/proxy";
            fastcgi_temp_path "\(folder)/fastcgi";
            uwsgi_temp_path "\(folder)/uwsgi";
            scgi_temp_path "\(folder)/scgi";
            server {
                listen 127.0.0.1:\(port);
                root "\(folder)/root";
            }
        }
        """
    }

    /// A port that is free now.
    private static func freePort() throws -> UInt16 {
        #if canImport(Glibc)
        let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
        #else
        let kind = SOCK_STREAM
        #endif
        let descriptor = socket(AF_INET, kind, 0)
        guard descriptor >= 0 else { throw StartError(description: "socket: \(String(cString: strerror(errno)))") }
        defer { close(descriptor) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isBound = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, length) == 0 && getsockname(descriptor, $0, &length) == 0
            }
        }
        guard isBound else { throw StartError(description: "bind: \(String(cString: strerror(errno)))") }
        return UInt16(bigEndian: address.sin_port)
    }
}
