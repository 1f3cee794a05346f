import Testing

@testable import ImageCaching

@Suite struct MemoryBudgetTests {
    private static let machine = ["/proc/meminfo": "MemTotal:        8000000 kB\nMemFree: 1 kB\n"]

    private func available(_ files: [String: String]) -> Int? {
        MemoryBudget { path in files.merging(Self.machine) { own, _ in own }[path] }.available
    }

    @Test("P22: the lowest limit from the process's control group up to the root counts (v2)")
    func unified() {
        let group = ["/proc/self/cgroup": "0::/app/worker\n"]
        #expect(available(group) == 8_192_000_000)
        #expect(available(group.merging(["/sys/fs/cgroup/app/worker/memory.max": "max\n"]) { $1 }) == 8_192_000_000)
        #expect(available(group.merging(["/sys/fs/cgroup/app/memory.max": "268435456\n"]) { $1 }) == 268_435_456)
        let both = ["/sys/fs/cgroup/memory.max": "300000000\n", "/sys/fs/cgroup/app/worker/memory.high": "200000000\n"]
        #expect(available(group.merging(both) { $1 }) == 200_000_000)
    }

    @Test("P22: version 1 groups; no limit is a huge number there")
    func version1() {
        let group = ["/proc/self/cgroup": "5:cpu:/x\n4:cpuset,memory:/docker/abc\n0::/\n"]
        let root = "/sys/fs/cgroup/memory/memory.limit_in_bytes"
        #expect(available(group.merging([root: "9223372036854771712\n"]) { $1 }) == 8_192_000_000)
        #expect(available(group.merging([root: "1000000\n"]) { $1 }) == 1_000_000)
        let own = "/sys/fs/cgroup/memory/docker/abc/memory.limit_in_bytes"
        #expect(available(group.merging([own: "5000", root: "1000000\n"]) { $1 }) == 5_000)
    }

    @Test("A cache takes 15 %, at most 512 MiB, and 64 MiB where nothing is known")
    func share() {
        #expect(MemoryBudget { _ in nil }.available == nil)
        #expect(MemoryBudget(available: nil).cacheLimit == 64 << 20)
        #expect(MemoryBudget(available: 1_000_000_000).cacheLimit == 150_000_000)
        #expect(MemoryBudget(available: .max).cacheLimit == 512 << 20)
        #expect(MemoryBudget { _ in "garbage\n:::\n0::\n" }.available == nil)
    }
}
