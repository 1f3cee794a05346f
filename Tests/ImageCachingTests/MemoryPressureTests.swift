import Synchronization
import Testing
import WebImageTesting

@testable import ImageCaching

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

@Suite struct MemoryPressureTests {
    /// A system whose files are listed and whose pressure follows a script; it writes down what is done.
    private final class System: Sendable {
        let armed = Mutex<[String]>([])
        let closed = Mutex<[Int32]>([])
        let refused = Mutex<[String]>([])
        private let script: Mutex<[[PressureFiles.Event]]>
        private let group: String
        private let present: Set<String>

        init(group: String = "0::/\n", files: [String], script: [[PressureFiles.Event]] = [[.end, .end]]) {
            self.group = group
            present = Set(files)
            self.script = Mutex(script)
        }

        func files(accepting accepted: @escaping @Sendable (String) -> Bool = { _ in true }) -> PressureFiles {
            PressureFiles(
                read: { path in path == "/proc/self/cgroup" ? self.group : nil },
                arm: { path, trigger in
                    guard self.present.contains(path), accepted(trigger) else {
                        self.refused.withLock { $0.append(path) }
                        return nil
                    }
                    return self.armed.withLock { armed in
                        armed.append("\(path): \(trigger)")
                        return Int32(armed.count)
                    }
                },
                wait: { descriptors in
                    let events = self.script.withLock { $0.isEmpty ? [.end, .end] : $0.removeFirst() }
                    return Array(events.prefix(descriptors.count))
                },
                close: { descriptor in self.closed.withLock { $0.append(descriptor) } })
        }
    }

    /// Writes down what it is told.
    private final class Listener: MemoryPressureResponder {
        let heard = Mutex<[MemoryPressure]>([])
        func relieve(_ pressure: MemoryPressure) { heard.withLock { $0.append(pressure) } }
        var all: [MemoryPressure] { heard.withLock { $0 } }
    }

    /// The body of the monitor's thread, for the test to run when it likes.
    private final class Body: Sendable {
        private let body = Mutex<(@Sendable () -> Void)?>(nil)
        var start: @Sendable (@escaping @Sendable () -> Void) -> Bool {
            { body in
                self.body.withLock { $0 = body }
                return true
            }
        }
        func run() { body.withLock { $0 }?() }
    }

    @Test("P22: half stays under moderate pressure, nothing under critical", arguments: [0, 1, 7, 1_000, Int.max, -5])
    func reaction(cost: Int) {
        #expect(MemoryPressure.moderate.keptCost(of: cost) == max(0, cost) / 2)
        #expect(MemoryPressure.critical.keptCost(of: cost) == 0)
        #expect(MemoryPressure.moderate < .critical)
    }

    @Test("S115 S118 C118: a cache sheds half, then all, of its strong level; the weak one stays")
    func relief() {
        final class Picture: Sendable {}
        let clock = ManualClock()
        let cache = MemoryCache<Int, Picture>(costLimit: 100, weakLevel: .objects, now: clock.now)
        let held = (0..<10).map { _ in Picture() }
        for (key, picture) in held.enumerated() {
            cache.insert(picture, forKey: key, cost: 10, lifetime: key < 2 ? .seconds(1) : nil)
        }
        clock.advance(by: .seconds(1))
        cache.relieve(.moderate)
        // First what is over, then the older half of the rest.
        #expect((cache.totalCost, cache.costLimit) == (40, 100))
        #expect(cache.statistics.expirations == 2)
        cache.relieve(.critical)
        #expect((cache.count, cache.totalCost, cache.statistics.weakCount) == (0, 0, 8))
        #expect((0..<10).filter(cache.contains) == Array(2..<10))
        #expect(cache.value(forKey: 5) === held[5])
    }

    @Test("W036: the process's own control group is asked first, those above it next, the machine last")
    func candidates() {
        let own = "/sys/fs/cgroup/app/worker/memory.pressure"
        let parent = "/sys/fs/cgroup/app/memory.pressure"
        let machine = "/proc/pressure/memory"
        for (files, expected) in [([own, parent, machine], own), ([parent, machine], parent), ([machine], machine)] {
            let system = System(group: "0::/app/worker\n", files: files)
            let monitor = MemoryPressureMonitor(files: system.files(), startThread: { _ in true })
            #expect(monitor.watchedFile == nil)
            let listener = Listener()
            monitor.add(listener)
            #expect(monitor.watchedFile == expected)
            let triggers = ["\(expected): some 150000 2000000", "\(expected): full 100000 2000000"]
            #expect(system.armed.withLock { $0 } == triggers)
        }
    }

    @Test("W036: the worst that is heard at once is told, and the pool is emptied after the caches")
    func loop() {
        let script: [[PressureFiles.Event]] = [
            [.nothing, .nothing], [.pressure, .nothing], [.pressure, .pressure], [.nothing, .pressure], [.end, .end],
        ]
        let system = System(files: ["/proc/pressure/memory"], script: script)
        let body = Body()
        let cache = MemoryCache<Int, Int>(costLimit: 100)
        let costsAfter = Mutex<[Int]>([])
        let monitor = MemoryPressureMonitor(
            files: system.files(), startThread: body.start,
            afterwards: { costsAfter.withLock { $0.append(cache.totalCost) } })
        let listener = Listener()
        monitor.add(cache)
        monitor.add(listener)
        monitor.add(listener)
        for key in 0..<10 { cache.insert(key, forKey: key, cost: 10) }
        body.run()
        #expect(listener.all == [.moderate, .critical, .critical])
        #expect(costsAfter.withLock { $0 } == [50, 0, 0])
        #expect(monitor.watchedFile == nil)
        #expect(system.closed.withLock { $0 } == [1, 2])
    }

    @Test("S116: a cache that was added is emptied; one that is gone is not told, and the monitor does not keep it")
    func gone() {
        let system = System(files: ["/proc/pressure/memory"], script: [[.nothing, .pressure]])
        let body = Body()
        let monitor = MemoryPressureMonitor(files: system.files(), startThread: body.start)
        let listener = Listener()
        weak let forgotten: Listener? = {
            let listener = Listener()
            monitor.add(listener)
            return listener
        }()
        weak let forgottenCache: MemoryCache<Int, Int>? = {
            let cache = MemoryCache<Int, Int>(costLimit: 100)
            monitor.add(cache)
            return cache
        }()
        let cache = MemoryCache<Int, Int>(costLimit: 100)
        for key in 0..<10 { cache.insert(key, forKey: key, cost: 10) }
        monitor.add(listener)
        monitor.add(cache)
        #expect(forgotten == nil && forgottenCache == nil)
        body.run()
        #expect(listener.all == [.critical])
        #expect((cache.count, cache.totalCost) == (0, 0))
    }

    @Test("Where nothing tells of pressure nothing happens, and the monitor says so")
    func unavailable() {
        let nowhere = System(files: [])
        let monitor = MemoryPressureMonitor(
            files: nowhere.files(),
            startThread: { _ in
                Issue.record("a thread without anything to watch")
                return false
            })
        monitor.add(Listener())
        #expect(monitor.watchedFile == nil)
        #expect(nowhere.refused.withLock { Set($0) } == ["/sys/fs/cgroup/memory.pressure", "/proc/pressure/memory"])

        // A kernel that takes only one of the triggers is listened to with that one.
        let half = System(files: ["/proc/pressure/memory"], script: [[.pressure]])
        let body = Body()
        let listener = Listener()
        let second = MemoryPressureMonitor(
            files: half.files(accepting: { $0.hasPrefix("full") }), startThread: body.start)
        second.add(listener)
        body.run()
        #expect(listener.all == [.critical])

        // No thread to be had: what was opened is closed.
        let threadless = System(files: ["/proc/pressure/memory"])
        let third = MemoryPressureMonitor(files: threadless.files(), startThread: { _ in false })
        third.add(Listener())
        #expect(third.watchedFile == nil)
        #expect(threadless.closed.withLock { $0 } == [1, 2])
    }

    @Test("The system's own calls: a file that is not there is refused, and an end is heard")
    func systemCalls() throws {
        #expect(PressureFiles.system.arm("/proc/pressure/none", "some 150000 2000000") == nil)
        #expect(PressureFiles.system.arm("/dev/full", "some 150000 2000000") == nil)
        var ends: [Int32] = [0, 0]
        try #require(pipe(&ends) == 0)
        PressureFiles.system.close(ends[0])
        #expect(PressureFiles.system.wait([ends[1]]) == [.end])
        PressureFiles.system.close(ends[1])
    }
}
