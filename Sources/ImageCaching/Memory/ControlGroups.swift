/// The control groups of this process, as `/proc/self/cgroup` names them, and where their files are.
///
/// A group is bound by every group above it, so its files come with those of its ancestors up to the root. In a container
/// the path may be the host's; then only the root's exist.
struct ControlGroups {
    /// The path in the unified hierarchy (version 2), nil without one.
    private(set) var unified: String?
    /// The path in the hierarchy of the memory controller (version 1), nil without one.
    private(set) var memoryController: String?

    /// Lines are `number:controllers:path`; the unified hierarchy has number 0 and no controllers.
    init(readFile: (String) -> String?) {
        for line in (readFile("/proc/self/cgroup") ?? "").split(separator: "\n") {
            let parts = line.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
            guard parts.count == 3 else { continue }
            if parts[0] == "0", parts[1].isEmpty {
                unified = String(parts[2])
            } else if parts[1].split(separator: ",").contains("memory") {
                memoryController = String(parts[2])
            }
        }
    }

    /// The files that say how much memory may be used: `memory.max` and `memory.high`, `memory.limit_in_bytes`.
    var memoryLimitFiles: [String] {
        let new = ancestors(of: unified).flatMap { group in
            ["/sys/fs/cgroup\(group)/memory.max", "/sys/fs/cgroup\(group)/memory.high"]
        }
        let old = ancestors(of: memoryController).map { "/sys/fs/cgroup/memory\($0)/memory.limit_in_bytes" }
        return new + old
    }

    /// The files that say how long tasks wait for memory, from the process's own group up; version 1 has none.
    var memoryPressureFiles: [String] {
        ancestors(of: unified).map { "/sys/fs/cgroup\($0)/memory.pressure" }
    }

    /// `/a/b`, `/a` and the root, which is empty.
    private func ancestors(of path: String?) -> [String] {
        guard let names = path?.split(separator: "/").prefix(32) else { return [] }
        return (0...names.count).reversed().map { count in
            names.prefix(count).map { "/\($0)" }.joined()
        }
    }
}
