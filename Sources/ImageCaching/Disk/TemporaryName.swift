import Synchronization

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Names of temporary files: the process, a random token (two containers may share a folder and a process number), and
/// a running number.
enum TemporaryName {
    private static let counter = Atomic<Int>(0)
    private static let prefix = "\(getpid())-\(String(UInt64.random(in: 0 ... .max), radix: 16))-"

    static func next() -> String {
        prefix + String(counter.wrappingAdd(1, ordering: .relaxed).newValue)
    }
}
