public import ImageCaching

/// What a program keeps beside a picture's original bytes on the disk. These calls block: make them where files may be
/// read and written.
extension ImagePipeline {
    /// What was attached to the bytes of a request under a name; nil where nothing was, or where the bytes are not on disk.
    ///
    /// Of several variants of an address (`Vary`), the one that answers the request. Freshness does not matter.
    public func attachment(_ name: String, of request: ImageRequest) -> [UInt8]? {
        core.bytes.place(of: request)?.entry.metadata.attachments[name]
    }

    /// Attaches data to the bytes of a request: a ThumbHash or a caption, for example. It stays until the bytes go, also when
    /// the origin says that they are still right, and is gone when it sends others.
    ///
    /// - Parameters:
    ///   - data: what is kept; nil takes what is there away.
    ///   - name: the program's own name for it.
    ///   - request: whose bytes it belongs to.
    /// - Returns: whether the bytes are on disk; otherwise nothing was done.
    /// - Throws: `CacheError` when it could not be written; then everything is as it was.
    @discardableResult
    public func setAttachment(
        _ data: [UInt8]?, named name: String, of request: ImageRequest
    ) throws(CacheError) -> Bool {
        guard let place = core.bytes.place(of: request), let disk = core.bytes.disk else { return false }
        return try disk.updateMetadata(for: place.key) { $0.attachments[name] = data }
    }
}
