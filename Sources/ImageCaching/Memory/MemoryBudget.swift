/// How much memory this process may use, and what share of it caches take.
///
/// A container's limit counts where it is lower than the machine's memory: a share of the physical memory is wrong
/// inside a container, and there is no memory warning on Linux that would correct it.
public struct MemoryBudget: Hashable, Sendable {
    /// The lowest of the control groups' limits and the machine's memory, in bytes. Nil where neither is known.
    public let available: Int?

    public init(available: Int?) {
        self.available = available
    }

    /// A cache's default limit: 15 % of what is available, at most 512 MiB; 64 MiB where that is not known.
    public var cacheLimit: Int {
        guard let available else { return 64 << 20 }
        return min(available / 100 * 15, 512 << 20)
    }

    /// The budget of this process, read once.
    public static let current = MemoryBudget(readFile: TextFile.read)

    /// Reads the limits of control groups v2 (`memory.max`, `memory.high`) and v1 (`memory.limit_in_bytes`), from the
    /// process's own group up to the root, and the machine's memory.
    ///
    /// - Parameter readFile: a file's text, nil if it cannot be read.
    package init(readFile: (String) -> String?) {
        let limits = ControlGroups(readFile: readFile).memoryLimitFiles.compactMap { path in
            readFile(path).flatMap { Int($0.prefix { $0.isNumber }) }
        }
        available = (limits + [Self.physical(in: readFile("/proc/meminfo") ?? "")].compactMap(\.self)).min()
    }

    private static func physical(in text: String) -> Int? {
        guard let line = text.split(separator: "\n").first(where: { $0.hasPrefix("MemTotal:") }) else { return nil }
        return Int(line.filter(\.isNumber)).flatMap { $0 < Int.max / 1_024 ? $0 * 1_024 : nil }
    }
}
