#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Small text files of the system, those below `/proc` and `/sys` for example.
enum TextFile {
    /// The first 64 KiB of a file as text; nil if it cannot be read.
    static func read(_ path: String) -> String? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var text: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 4_096)
        while text.count < 64 << 10 {
            let count = piece.withUnsafeMutableBytes { pread(descriptor, $0.baseAddress, $0.count, off_t(text.count)) }
            if count < 0 { return nil }
            if count == 0 { break }
            text.append(contentsOf: piece.prefix(count))
        }
        return String(decoding: text, as: UTF8.self)
    }
}
