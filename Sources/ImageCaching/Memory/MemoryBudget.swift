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
        let groups = Self.groups(in: readFile("/proc/self/cgroup") ?? "")
        let limits = groups.flatMap(Self.limitFiles).compactMap { path in
            readFile(path).flatMap { Int($0.prefix { $0.isNumber }) }
        }
        available = (limits + [Self.physical(in: readFile("/proc/meminfo") ?? "")].compactMap(\.self)).min()
    }

    private enum Group {
        case unified(path: String)
        case memoryController(path: String)
    }

    /// Lines of `/proc/self/cgroup` are `number:controllers:path`; the unified hierarchy has number 0 and no controllers.
    private static func groups(in text: String) -> [Group] {
        text.split(separator: "\n").compactMap { line in
            let parts = line.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
            guard parts.count == 3 else { return nil }
            if parts[0] == "0", parts[1].isEmpty { return .unified(path: String(parts[2])) }
            let isMemory = parts[1].split(separator: ",").contains("memory")
            return isMemory ? .memoryController(path: String(parts[2])) : nil
        }
    }

    /// A group is bound by every group above it. In a container the path may be the host's; then only the root exists.
    private static func limitFiles(of group: Group) -> [String] {
        switch group {
        case .unified(let path):
            ancestors(of: path).flatMap { group in
                ["/sys/fs/cgroup\(group)/memory.max", "/sys/fs/cgroup\(group)/memory.high"]
            }
        case .memoryController(let path):
            ancestors(of: path).map { "/sys/fs/cgroup/memory\($0)/memory.limit_in_bytes" }
        }
    }

    /// `/a/b`, `/a` and the root, which is empty.
    private static func ancestors(of path: String) -> [String] {
        let names = path.split(separator: "/").prefix(32)
        return (0...names.count).reversed().map { count in
            names.prefix(count).map { "/\($0)" }.joined()
        }
    }

    private static func physical(in text: String) -> Int? {
        guard let line = text.split(separator: "\n").first(where: { $0.hasPrefix("MemTotal:") }) else { return nil }
        return Int(line.filter(\.isNumber)).flatMap { $0 < Int.max / 1_024 ? $0 * 1_024 : nil }
    }
}
