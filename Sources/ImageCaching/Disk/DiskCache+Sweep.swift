import Synchronization

extension DiskCache {
    /// How many entries one step of a sweep looks at, about. Caches up to this size lose exactly their oldest entries;
    /// in larger ones a step takes some shards and removes the oldest of those, a fair sample as names are hashes.
    private static let stepEntries = 1_024

    /// How long a temporary file may go without a write before it counts as left behind: one hour.
    private static let orphanAge: Int64 = 3_600 * 1_000_000_000

    /// Goes through the whole cache once: removes what is too old, what a dead process left behind, and, where there is
    /// too much, what was not used for longest. Also puts the counters right.
    ///
    /// Too old is what was neither stored nor read for ``Configuration/maximumAge``.
    ///
    /// - Parameter onEntry: called for each entry that was looked at.
    /// - Throws: ``CacheError`` when the folder cannot be opened.
    @discardableResult
    public func sweep(onEntry: () -> Void = {}) throws(CacheError) -> SweepReport {
        let folder = try freshFolder()
        var report = SweepReport()
        report.orphans = removeOrphans(in: folder)
        // One pass puts the counters right; the next can rely on them.
        for shard in 0..<UsageCounter.shardCount {
            sweep(shard..<shard + 1, isLimited: false, in: folder, &report, onEntry)
        }
        reduce(in: folder, &report)
        tally(report)
        return report
    }

    /// Removes every entry. What is being written meanwhile stays.
    ///
    /// - Parameter onEntry: called for each entry that is gone.
    /// - Throws: ``CacheError`` when something stays.
    /// - Returns: what was removed.
    @discardableResult
    public func removeAll(onEntry: () -> Void = {}) throws(CacheError) -> RemovalReport {
        let folder = try folder()
        var report = RemovalReport()
        for shard in 0..<UsageCounter.shardCount {
            for listed in folder.list(shard) {
                do {
                    guard let freed = try remove(listed.name, shard: shard, onlyInode: nil, in: folder) else {
                        continue
                    }
                    report.entries += 1
                    report.bytes += freed
                    onEntry()
                } catch {
                    throw self.report(CacheError(error, "remove an entry"))
                }
            }
        }
        return report
    }

    /// Called after every store: costs a look at the counters as long as there is room.
    func enforceLimit(in folder: CacheFolder) {
        guard let total = folder.usage?.total.bytes, total > bounds(total, in: folder).limit else { return }
        // One thread of this process is enough.
        guard !isSweeping.exchange(true, ordering: .acquiring) else { return }
        defer { isSweeping.store(false, ordering: .releasing) }
        var report = SweepReport()
        reduce(in: folder, &report)
        tally(report)
    }

    private func bounds(_ used: Int, in folder: CacheFolder) -> (limit: Int, lowWater: Int) {
        configuration.bounds(used: used, on: try? fileSystem.space(of: folder.root))
    }

    /// Visits shards in turn, at most each once, until the limit is kept.
    private func reduce(in folder: CacheFolder, _ report: inout SweepReport) {
        guard let usage = folder.usage else { return }
        var visited = 0
        while visited < UsageCounter.shardCount {
            let total = usage.total
            guard total.bytes > bounds(total.bytes, in: folder).limit else { return }
            let share = Self.stepEntries * UsageCounter.shardCount / max(1, total.entries)
            let step = min(max(1, share), UsageCounter.shardCount)
            sweep(usage.advance(by: step), isLimited: true, in: folder, &report)
            visited += step
        }
    }

    /// - Parameter shards: may reach past the last one and then goes on with the first.
    private func sweep(
        _ shards: Range<Int>, isLimited: Bool, in folder: CacheFolder, _ report: inout SweepReport,
        _ onEntry: () -> Void = {}
    ) {
        var kept: [CacheFolder.Listed] = []
        for shard in shards {
            let shard = shard % UsageCounter.shardCount
            let before = folder.usage?[shard]
            let listed = folder.list(shard)
            if let before { folder.usage?.correct(shard, from: before, to: UsageCounter.Usage(listed)) }
            for entry in listed {
                onEntry()
                // An entry is never younger than its last use.
                if isExpired(entry.status.modified), drop(entry, in: folder, &report) {
                    report.expired += 1
                } else {
                    kept.append(entry)
                }
            }
        }
        guard isLimited, let total = folder.usage?.total.bytes else { return }
        let lowWater = bounds(total, in: folder).lowWater
        guard total > lowWater else { return }
        var bytes = kept.reduce(0) { $0 &+ $1.status.footprint }
        let target = Int(Double(max(0, bytes)) * (Double(lowWater) / Double(total)))
        let now = wallClock()
        kept.sort { recency($0, now) < recency($1, now) }
        for entry in kept where bytes > target {
            bytes &-= entry.status.footprint
            if drop(entry, in: folder, &report) { report.evicted += 1 }
        }
    }

    /// A last use in the future, from before the clock was set back, counts as the oldest: a hit puts it right.
    private func recency(_ entry: CacheFolder.Listed, _ now: Int64) -> Int64 {
        entry.status.modified > now &+ Self.touchInterval ? .min : entry.status.modified
    }

    private func drop(_ entry: CacheFolder.Listed, in folder: CacheFolder, _ report: inout SweepReport) -> Bool {
        guard let freed = try? remove(entry.name, shard: entry.shard, onlyInode: entry.status.inode, in: folder)
        else { return false }
        report.freedBytes &+= freed
        return true
    }

    private func removeOrphans(in folder: CacheFolder) -> Int {
        let names = (try? fileSystem.names(in: folder.temporary)) ?? []
        let now = wallClock()
        return names.count { name in
            guard let status = try? fileSystem.status(of: name, in: folder.temporary),
                now.subtractingReportingOverflow(status.modified).partialValue >= Self.orphanAge
            else { return false }
            return (try? fileSystem.remove(name, in: folder.temporary)) != nil
        }
    }

    private func tally(_ report: SweepReport) {
        count { statistics in
            statistics.expired += report.expired
            statistics.evicted += report.evicted
        }
    }
}
