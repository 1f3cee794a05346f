package import Foundation

/// A real nginx on free ports of 127.0.0.1 that serves a folder of its own. It lives as long as this object.
///
/// Every response says in `X-Protocol` what was spoken, and in `X-Connection` on which connection, by nginx's count.
package final class NginxServer: Sendable {
    /// The doors through which the folder is reached.
    package enum Door: Int, CaseIterable, Sendable {
        /// HTTP/1.1. What lies under `packed/` is sent with gzip to whoever takes it;
        /// under `brief/` the folder's files are stale as soon as they come.
        case plain
        /// HTTP through a `proxy_cache` in front of ``plain``; `X-Cache-Status` says what the cache did.
        case cached
        /// HTTP/2 and HTTP/1.1 over TLS, for `localhost`. Only with certificates.
        case secure
        /// The same with a certificate that has expired. Only with certificates.
        case expired
    }

    /// What is put here is served.
    package let root: URL
    private let folder: URL
    private let ports: [UInt16]
    private let process: ServerProcess

    /// - Parameter certificates: who signed for the doors with TLS; nil leaves them closed.
    package init(certificates: CertificateAuthority? = nil) throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "nginx-\(UUID().uuidString)")
        let root = folder.appending(path: "root")
        try FileManager.default.createDirectory(
            at: root.appending(path: "packed"), withIntermediateDirectories: true)
        do {
            (process, ports) = try LoopbackPorts.start(Door.allCases.count) { ports in
                let configuration = folder.appending(path: "nginx.conf")
                let text = Self.configuration(ports, folder: folder.path, certificates)
                try Data(text.utf8).write(to: configuration)
                return try ServerProcess(
                    "nginx", ["-e", "stderr", "-p", folder.path, "-c", configuration.path]
                ) { $0.contains("start worker process") }
            }
        } catch {
            try? FileManager.default.removeItem(at: folder)
            throw error
        }
        self.root = root
        self.folder = folder
    }

    deinit {
        process.end(with: SIGTERM)
        try? FileManager.default.removeItem(at: folder)
    }

    package func port(_ door: Door = .plain) -> UInt16 { ports[door.rawValue] }

    /// The address of a path through a door.
    package func url(_ path: String, _ door: Door = .plain) -> String {
        switch door {
        case .plain, .cached: "http://127.0.0.1:\(port(door))/\(path)"
        case .secure, .expired: "https://localhost:\(port(door))/\(path)"
        }
    }

    /// Lets nginx finish what it is at, ends it, and returns the paths that were asked for, in order.
    package func stop() throws -> [String] {
        process.end(with: SIGQUIT)
        let log = try String(contentsOf: folder.appending(path: "access.log"), encoding: .utf8)
        return log.split(separator: "\n").map(String.init)
    }
}

extension NginxServer {
    private static func configuration(
        _ ports: [UInt16], folder: String, _ certificates: CertificateAuthority?
    ) -> String {
        func listen(_ door: Door, _ more: String = "") -> String {
            "listen 127.0.0.1:\(ports[door.rawValue])\(more);"
        }
        func secure(_ door: Door, _ identity: CertificateAuthority.Identity) -> String {
            """
            server {
                \(listen(door, " ssl http2"))
                ssl_certificate "\(identity.certificate.path)";
                ssl_certificate_key "\(identity.key.path)";
                root "\(folder)/root";
            }
            """
        }
        let secured = certificates.map { secure(.secure, $0.valid) + "\n" + secure(.expired, $0.expired) }
        return """
            daemon off;
            \(geteuid() == 0 ? "user root;" : "")
            worker_processes 1;
            pid "\(folder)/nginx.pid";
            error_log stderr notice;
            events { worker_connections 256; }
            http {
                types { image/jpeg jpg; image/png png; image/webp webp; text/html html; }
                log_format path "$uri";
                access_log "\(folder)/access.log" path;
                client_body_temp_path "\(folder)/body";
                proxy_temp_path "\(folder)/proxy";
                fastcgi_temp_path "\(folder)/fastcgi";
                uwsgi_temp_path "\(folder)/uwsgi";
                scgi_temp_path "\(folder)/scgi";
                proxy_cache_path "\(folder)/cache" keys_zone=pictures:1m;
                add_header X-Protocol $server_protocol;
                add_header X-Connection $connection;
                add_header Cache-Control max-age=86400;
                server {
                    \(listen(.plain))
                    root "\(folder)/root";
                    location /packed/ {
                        gzip on;
                        gzip_min_length 1;
                        gzip_types *;
                        add_header X-Packed "can be";
                    }
                    location /brief/ {
                        alias "\(folder)/root/";
                        add_header Cache-Control max-age=0;
                    }
                    location /aged/ {
                        alias "\(folder)/root/";
                        add_header Age 7;
                    }
                }
                server {
                    \(listen(.cached))
                    location / {
                        proxy_pass http://127.0.0.1:\(ports[Door.plain.rawValue]);
                        proxy_cache pictures;
                        proxy_cache_valid 200 1h;
                        add_header X-Cache-Status $upstream_cache_status;
                    }
                }
                \(secured ?? "")
            }
            """
    }
}
