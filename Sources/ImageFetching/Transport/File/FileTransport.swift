import ByteBuffers
import Synchronization

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

/// Reads regular files through `file:` URLs, on a thread of its own that lives while there is something to read.
///
/// Folders, pipes and devices are refused, and so is a `file:` URL that names another machine.
public final class FileTransport: Transport {
    public let schemes: Set<String> = ["file"]

    private let thread = JobThread()

    public init() {}

    public func open(_ request: FetchRequest, limits: FetchLimits) async throws -> TransportResponse {
        let url = request.url
        if let host = url.host, !host.isEmpty, host.lowercased() != "localhost" {
            throw FetchError(.invalidURL, "\(url.redacted) names another machine.")
        }
        let path = url.path
        // A NUL would end the path early, for the system or for Foundation.
        guard !path.isEmpty, !url.path(percentEncoded: true).contains("%00") else {
            throw FetchError(.invalidURL, "\(url.redacted) has no usable path.")
        }
        try Task.checkCancellation()
        let file = try await thread.run { () throws(FetchError) in
            try OpenFile(path: path, limit: limits.maxBodyBytes)
        }
        let head = ResponseHead(expectedByteCount: file.size, finalURL: url)
        return TransportResponse(head: head, body: FileBody(file, thread: thread))
    }
}

/// A file that is open for reading, from its start to its end.
private final class OpenFile: Sendable {
    /// The most bytes of one read.
    static let pieceSize = 1 << 20

    let size: Int
    private let path: String
    private let descriptor: Int32
    private let offset = Mutex(0)

    init(path: String, limit: Int) throws(FetchError) {
        self.path = path
        // Without O_NONBLOCK, opening a pipe would wait for its writer.
        descriptor = Self.openFile(path)
        guard descriptor >= 0 else {
            let number = errno
            let isMissing = number == ENOENT || number == ENOTDIR
            throw FetchError(
                isMissing ? .fileNotFound : .fileUnreadable, "\(path) cannot be opened: \(Self.reason(number)).",
                // Too many open files: others will be closed.
                isRetryable: number == EMFILE || number == ENFILE)
        }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else {
            let number = errno
            close(descriptor)
            throw FetchError(.fileUnreadable, "\(path) cannot be read: \(Self.reason(number)).")
        }
        guard status.st_mode & S_IFMT == S_IFREG else {
            close(descriptor)
            throw FetchError(.fileUnreadable, "\(path) is not a regular file.")
        }
        size = Int(status.st_size)
        guard size <= limit else {
            close(descriptor)
            throw .bodyTooLarge(limit: limit, announced: size)
        }
    }

    deinit { close(descriptor) }

    /// The next piece; nil at the end. The file ends where it ended when it was opened.
    func read() throws(FetchError) -> Bytes? {
        let start = offset.withLock { $0 }
        guard start < size else { return nil }
        do {
            let piece = try Bytes(capacity: min(Self.pieceSize, size - start)) { room in
                while true {
                    let count = pread(descriptor, room.baseAddress, room.count, off_t(start))
                    if count >= 0 { return count }
                    guard errno == EINTR else {
                        throw FetchError(.fileUnreadable, "\(path) cannot be read: \(Self.reason(errno)).")
                    }
                }
            }
            guard !piece.isEmpty else {
                throw FetchError(.truncatedBody, "\(path) ended after \(start) of \(size) bytes.")
            }
            offset.withLock { $0 = start + piece.count }
            return piece
        } catch {
            throw FetchError(error)
        }
    }

    private static func openFile(_ path: String) -> Int32 {
        while true {
            let descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
            if descriptor >= 0 || errno != EINTR { return descriptor }
        }
    }

    private static func reason(_ number: Int32) -> String {
        String(cString: strerror(number))
    }
}

private final class FileBody: BodyStream {
    private let thread: JobThread
    /// Nil after the end.
    private let file: Mutex<Result<OpenFile?, FetchError>>

    init(_ file: OpenFile, thread: JobThread) {
        self.thread = thread
        self.file = Mutex(.success(file))
    }

    func next() async throws -> Bytes? {
        if Task.isCancelled { cancel() }
        guard let open = try file.withLock({ $0 }).get() else { return nil }
        do {
            let piece = try await thread.run { () throws(FetchError) in try open.read() }
            if piece == nil { end(with: .success(nil)) }
            return piece
        } catch {
            end(with: .failure(error))
            throw error
        }
    }

    func cancel() { end(with: .failure(.cancelled)) }

    private func end(with result: Result<OpenFile?, FetchError>) {
        file.withLock { if case .success(.some) = $0 { $0 = result } }
    }
}
