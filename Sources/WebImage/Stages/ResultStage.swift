import ByteBuffers
import ImageCaching
import ImageCoding
import ImageFetching

/// A finished picture as it is on disk, not decoded yet.
struct StoredResult: Sendable {
    let payload: Bytes
    let info: ImageInfo
    /// How many bytes the original has.
    let byteCount: Int
    let validity: Validity
    let freshness: ResponseFreshness
    let mustRevalidate: Bool
    let trail: LoadTrail
    let claim: Backlog.Claim
}

/// Finished pictures on disk: decoded, resized and processed as a request wants them.
///
/// Each has an entry of its own beside the original's, with the response that brought the original, so that HTTP's rules
/// say how long it may be used. One more entry for each address tells which results there are.
struct ResultStage: Sendable {
    let bytes: ByteStage
    let pictures: PictureStage
    let encoding: ResultEncoding

    /// Whether looking for a result makes sense.
    func mayBeStored(_ request: ImageRequest) -> Bool {
        keepsResults(request) && request.caching.rule != .revalidate && bytes.disk != nil
            && bytes.mayBeStored(request)
    }

    /// Looks on the disk. Blocks; for the I/O threads.
    func find(_ request: ImageRequest) -> StoredResult? {
        guard let disk = bytes.disk, let entry = try? disk.entry(for: key(request)),
            let stored = StoredEntry(entry), let (info, byteCount) = ResultDescription.read(entry.metadata),
            // A result is one frame.
            !request.wantsAnimation || info.frameCount == 1
        else { return nil }
        let decision = HTTPCaching.decide(
            stored.response, for: bytes.sent(request), rule: request.caching.rule, now: bytes.wallClock())
        guard [.serve, .serveAndRevalidate].contains(decision.action) else { return nil }
        var trail = LoadTrail(reason: decision.reason)
        trail.disk = .found
        return StoredResult(
            payload: stored.payload, info: info, byteCount: byteCount,
            validity: Validity(stored.response, entity: stored.entity), freshness: decision.freshness,
            mustRevalidate: decision.action == .serveAndRevalidate, trail: trail,
            claim: bytes.backlog.claim(stored.payload.count))
    }

    /// Decodes a result.
    ///
    /// - Throws: `CodingError`, `AllocationError`.
    func picture(
        of result: StoredResult, for request: ImageRequest, shouldContinue: @escaping @Sendable () -> Bool
    ) throws -> CachedPicture {
        let bitmap = try pictures.picture(from: result.payload, limits: request.limits, shouldContinue: shouldContinue)
            .bitmap
        return CachedPicture(
            bitmap: bitmap, info: result.info, byteCount: result.byteCount, validity: result.validity,
            address: request.addressDigest)
    }

    /// Whether a picture that has just been made is to be kept.
    func wants(_ made: MadePicture, for request: ImageRequest) -> Bool {
        made.stored != nil && made.picture.animation == nil && bytes.disk != nil
            && request.caching.disk.contains(.write)
            && keepsResults(request)
    }

    /// A result's colours are sRGB.
    private func keepsResults(_ request: ImageRequest) -> Bool {
        request.caching.diskContent.contains(.results) && request.options.color == .sRGB
    }

    /// - Throws: `CodingError`.
    func encode(_ made: MadePicture) throws(CodingError) -> Bytes {
        let bitmap = made.picture.bitmap
        return try pictures.coders.encode(bitmap, as: encoding.format(for: bitmap), options: encoding.options)
    }

    /// Writes a result. Blocks.
    ///
    /// - Throws: `CacheError`; nothing is kept then.
    func keep(_ encoded: Bytes, _ made: MadePicture, for request: ImageRequest) throws(CacheError) {
        guard let disk = bytes.disk, let stored = made.stored else { return }
        var metadata = EntryMetadata(stored.fields)
        metadata.fields.merge(StoredAddress.fields(of: request)) { _, address in address }
        metadata[StoredEntry.entityField] = String(made.picture.validity.entity, radix: 16)
        ResultDescription.write(made.picture, encoding.format(for: made.picture.bitmap), to: &metadata)
        let (identity, line) = (bytes.identity(request), DiskIdentity.line(of: request))
        try disk.store(encoded, metadata: metadata, for: identity.result(line))
        // Written down that it is there. Those of other bytes than it was made of go.
        let change = VariantList.change(
            of: list(identity), adding: line, names: [metadata[StoredEntry.entityField] ?? ""], limit: Self.limit)
        for old in change.outdated { try? disk.remove(identity.result(old)) }
        if let list = change.list {
            try disk.store(Bytes(), metadata: list.metadata(of: request), for: identity.results)
        }
    }

    /// Removes all results of an address.
    ///
    /// - Throws: `CacheError` when the list of them is there and stays.
    func removeAll(of request: ImageRequest) throws(CacheError) {
        guard let disk = bytes.disk else { return }
        let identity = bytes.identity(request)
        guard let list = list(identity) else { return }
        for line in list.lines { try? disk.remove(identity.result(line)) }
        try disk.remove(identity.results)
    }

    /// Removes one that turned out to be no picture.
    func drop(_ request: ImageRequest) {
        try? bytes.disk?.remove(key(request))
    }

    /// More results of one address push the oldest out.
    private static let limit = 64

    private func list(_ identity: DiskIdentity) -> VariantList? {
        (try? bytes.disk?.entry(for: identity.results)).flatMap { VariantList($0.metadata) }
    }

    private func key(_ request: ImageRequest) -> DiskKey {
        bytes.identity(request).result(DiskIdentity.line(of: request))
    }
}
