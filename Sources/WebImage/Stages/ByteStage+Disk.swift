import ByteBuffers
import ImageCaching
import ImageFetching

/// What the disk cache had: bytes and what is known of the response that brought them.
struct StoredEntry: Sendable {
    static let entityField = "entity"

    let payload: Bytes
    let response: StoredResponse
    /// Names the bytes, see ``Validity/entity``.
    let entity: UInt64
    /// What tiers had of it; empty when it was on the disk.
    var finds: [TierFind] = []

    /// - Returns: `nil` for an entry that another version has written: it is not used.
    init?(_ entry: CacheEntry) {
        guard let response = StoredResponse(fields: entry.metadata.fields),
            let entity = entry.metadata[Self.entityField].flatMap({ UInt64($0, radix: 16) })
        else { return nil }
        payload = entry.payload
        self.response = response
        self.entity = entity
    }
}

extension ByteStage {
    /// What is stored for a request; of several variants the one that answers it.
    func find(_ request: ImageRequest) -> StoredEntry? {
        place(of: request).flatMap { StoredEntry($0.entry) }
    }

    /// The entry that answers a request, and its key.
    func place(of request: ImageRequest) -> (key: DiskKey, entry: CacheEntry)? {
        guard let disk else { return nil }
        let identity = identity(request)
        guard let entry = try? disk.entry(for: identity.primary) else { return nil }
        guard let list = VariantList(entry.metadata) else { return (identity.primary, entry) }
        let key = identity.variant(HTTPCaching.varying(list.names, in: sent(request)))
        return (try? disk.entry(for: key)).map { (key, $0) }
    }

    /// Whether bytes are to be written by whoever asks; `true` once for each load.
    func claims(_ loaded: LoadedBytes, for request: ImageRequest) -> Bool {
        guard disk != nil || !tiers.isEmpty, loaded.description.isNews, loaded.description.stored != nil else {
            return false
        }
        let caching = request.caching
        return caching.disk.contains(.write) && caching.diskContent.contains(.originals) && loaded.claimStore()
    }

    /// Keeps bytes that a picture was made of, or what has changed beside them.
    func keep(_ loaded: LoadedBytes, for request: ImageRequest) {
        guard let disk, let stored = loaded.description.stored else { return }
        let identity = identity(request)
        let line = stored.varyingNames.isEmpty ? nil : VariantList.line(stored.varyingValues)
        var metadata = metadata(loaded, stored, request)
        // Read once: it says which variants there are, or is what was stored before.
        let primary = try? disk.entry(for: identity.primary)
        let list = primary.flatMap { VariantList($0.metadata) }
        // What the program keeps beside bytes that have turned out to be the same stays there.
        if loaded.description.tier != .network,
            let old = list == nil ? primary : line.flatMap({ try? disk.entry(for: identity.variant($0)) }),
            old.metadata[StoredEntry.entityField] == metadata[StoredEntry.entityField]
        {
            metadata.attachments = old.metadata.attachments
        }
        let change = VariantList.change(of: list, adding: line, names: stored.varyingNames)
        // A failure is no failure of the load: the cache has warned once by itself, and the picture is there.
        for line in change.outdated { try? disk.remove(identity.variant(line)) }
        try? disk.store(loaded.bytes, metadata: metadata, for: line.map(identity.variant) ?? identity.primary)
        if let list = change.list {
            try? disk.store(Bytes(), metadata: list.metadata(of: request), for: identity.primary)
        }
    }

    /// What is written down beside bytes.
    func metadata(_ loaded: LoadedBytes, _ stored: StoredResponse, _ request: ImageRequest) -> EntryMetadata {
        var metadata = EntryMetadata(stored.fields)
        metadata.fields.merge(StoredAddress.fields(of: request)) { _, address in address }
        metadata[StoredEntry.entityField] = String(loaded.description.validity.entity, radix: 16)
        return metadata
    }

    /// Drops bytes of which no picture could be made.
    ///
    /// - Returns: whether they came from the disk, and are gone.
    func drop(_ loaded: LoadedBytes, for request: ImageRequest) -> Bool {
        guard let disk, loaded.description.tier == .disk, let stored = loaded.description.stored else { return false }
        let identity = identity(request)
        let key = stored.varyingNames.isEmpty ? identity.primary : identity.variant(stored.varyingValues)
        return (try? disk.remove(key)) != nil
    }

    /// Removes everything that is stored for a request, all variants together.
    func remove(_ request: ImageRequest) throws(CacheError) {
        guard let disk else { return }
        let identity = identity(request)
        forgetVariants(identity)
        try disk.remove(identity.primary)
    }

    private func forgetVariants(_ identity: DiskIdentity) {
        guard let disk, let entry = try? disk.entry(for: identity.primary), let list = VariantList(entry.metadata)
        else {
            return
        }
        for line in list.lines { try? disk.remove(identity.variant(line)) }
    }

    /// Removes what is too old from the disk cache, and what processes that were killed left there.
    func sweep() {
        _ = try? disk?.sweep()
    }

    func identity(_ request: ImageRequest) -> DiskIdentity {
        DiskIdentity(request, credential: fetcher.configuration.credentials.fingerprint(for: request.url))
    }
}
