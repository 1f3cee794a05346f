import ByteBuffers
import ImageCaching
import ImageFetching

/// An entry that a tier had, and its key there.
struct TierFind: Sendable {
    let key: DiskKey
    let hit: CacheTiers.Hit
}

extension ByteStage {
    /// Whether tiers may know better than the disk. A request to ask the origin is not held up for something that could
    /// only take the place of what is stored here.
    func asksTiers(_ question: Question, _ request: ImageRequest) -> Bool {
        !tiers.isEmpty && (question.stored == nil || request.caching.rule != .revalidate)
    }

    /// Looks in the tiers for what the disk could not give, and decides. Takes no longer than their deadlines.
    ///
    /// - Throws: `FetchError` when the origin is not to be asked and there is nothing to use.
    func lookUpInTiers(_ question: Question, _ request: ImageRequest) async throws(FetchError) -> Answer {
        var question = question
        let started = now()
        let entry = await findInTiers(request)
        question.timings.tiers = now() - started
        let isNewer = entry.map { $0.response.responseTime > question.stored?.response.responseTime ?? .min } ?? false
        if isNewer { question.stored = entry }
        question.trail.tiers = isNewer ? .found : .missing
        return try answer(question, request, mayAskTiers: false)
    }

    /// What tiers have for a request; of several variants the one that answers it. No picture is made of it yet, and it may
    /// be anything.
    private func findInTiers(_ request: ImageRequest) async -> StoredEntry? {
        let identity = identity(request)
        guard let primary = try? await tiers.hit(for: identity.primary) else { return nil }
        let first = TierFind(key: identity.primary, hit: primary)
        guard let list = VariantList(primary.entry.metadata) else {
            return StoredEntry(primary.entry).map { $0.found([first]) }
        }
        let key = identity.variant(HTTPCaching.varying(list.names, in: sent(request)))
        guard let variant = try? await tiers.hit(for: key) else { return nil }
        return StoredEntry(variant.entry).map { $0.found([first, TierFind(key: key, hit: variant)]) }
    }

    /// Gives the tiers what they lack: all of them what is new, those above a hit what was found below them.
    ///
    /// - Returns: whether there was anything to give.
    func keepInTiers(_ loaded: LoadedBytes, for request: ImageRequest) async -> Bool {
        guard let stored = loaded.description.stored, mayBeShared(stored, request) else { return false }
        guard loaded.description.finds.isEmpty else {
            for find in loaded.description.finds { try? await tiers.copyUp(find.hit, for: find.key) }
            return loaded.description.finds.contains { $0.hit.level > 0 }
        }
        let identity = identity(request)
        let now = wallClock()
        let entry = CacheEntry(loaded.bytes, metadata: metadata(loaded, stored, request), storedAt: now)
        guard !stored.varyingNames.isEmpty else {
            try? await tiers.store(entry, for: identity.primary)
            return true
        }
        let line = VariantList.line(stored.varyingValues)
        let change = VariantList.change(of: await variants(identity), adding: line, names: stored.varyingNames)
        for line in change.outdated { try? await tiers.remove(identity.variant(line)) }
        try? await tiers.store(entry, for: identity.variant(line))
        if let list = change.list {
            let description = CacheEntry(Bytes(), metadata: list.metadata(of: request), storedAt: now)
            try? await tiers.store(description, for: identity.primary)
        }
        return true
    }

    /// Removes everything that tiers have for a request, all variants together.
    func removeFromTiers(_ request: ImageRequest) async {
        let identity = identity(request)
        for line in await variants(identity)?.lines ?? [] { try? await tiers.remove(identity.variant(line)) }
        try? await tiers.remove(identity.primary)
    }

    private func variants(_ identity: DiskIdentity) async -> VariantList? {
        (try? await tiers.entry(for: identity.primary)).flatMap { VariantList($0.metadata) }
    }

    /// Whether a cache that others read may keep a response: not a private one (RFC 9111 §5.2.2.7), and one to a request
    /// with credentials only if it says that they do not matter (§3.5).
    private func mayBeShared(_ stored: StoredResponse, _ request: ImageRequest) -> Bool {
        let directives = Set(
            stored.headers.values(for: "Cache-Control").flatMap { $0.split(separator: ",") }.map { directive in
                directive.prefix { $0 != "=" }.lowercased().filter { $0 != " " && $0 != "\t" }
            })
        if directives.contains("private") { return false }
        guard hasCredentials(request) else { return true }
        return !directives.isDisjoint(with: ["public", "s-maxage", "must-revalidate"])
    }

    private func hasCredentials(_ request: ImageRequest) -> Bool {
        request.headers["Authorization"] != nil
            || fetcher.configuration.credentials.fingerprint(for: request.url) != nil
    }
}

extension StoredEntry {
    fileprivate func found(_ finds: [TierFind]) -> StoredEntry {
        var entry = self
        entry.finds = finds
        return entry
    }
}
