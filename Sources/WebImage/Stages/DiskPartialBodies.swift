import ByteBuffers
public import ImageCaching
public import ImageFetching

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Keeps the beginnings of bodies that broke off in a disk cache of their own, apart from whole pictures.
public struct DiskPartialBodies: PartialBodyStore {
    private static let validatorField = "validator", totalField = "total"

    private let disk: DiskCache

    /// - Parameter disk: used for nothing else.
    public init(_ disk: DiskCache) {
        self.disk = disk
    }

    /// In a folder `partial` inside the folder of a cache, with room for 64 MiB, for a day.
    init(beside cache: DiskCache.Configuration) {
        var configuration = DiskCache.Configuration(directory: cache.directory)
        configuration.namespace = cache.namespace
        configuration.requiresPrivateDirectory = cache.requiresPrivateDirectory
        configuration.part = "partial"
        configuration.byteLimit = 64 << 20
        configuration.maximumAge = .seconds(24 * 60 * 60)
        self.init(DiskCache(configuration))
    }

    public func partial(for request: FetchRequest) -> PartialBody? {
        guard let entry = try? disk.entry(for: key(request)), let validator = entry.metadata[Self.validatorField] else {
            return nil
        }
        return PartialBody(
            bytes: entry.payload, validator: validator, total: entry.metadata[Self.totalField].flatMap { Int($0) })
    }

    public func keep(_ partial: PartialBody, for request: FetchRequest) {
        var metadata: EntryMetadata = [Self.validatorField: partial.validator]
        metadata[Self.totalField] = partial.total.map(String.init)
        // Where it cannot be kept, the next fetch begins from the start.
        try? disk.store(partial.bytes, metadata: metadata, for: key(request))
    }

    public func remove(for request: FetchRequest) {
        try? disk.remove(key(request))
    }

    /// Hashed twice, so that no address, password or header is written down.
    private func key(_ request: FetchRequest) -> DiskKey {
        var fields = KeyFields("partial/1")
        fields.append(request.url.absoluteString)
        fields.append(
            request.headers.sortedFields.filter { $0.name != "if-none-match" && $0.name != "if-modified-since" })
        var digest = KeyFields("sha256/1")
        digest.append(DiskKey(fields).fileName)
        return DiskKey(digest)
    }
}
