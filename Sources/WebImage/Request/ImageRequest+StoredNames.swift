import ImageCaching
import ImageFetching

extension ImageRequest {
    /// The files under which a cache has what this request brings when it is sent without credentials: the address's own,
    /// and those of its variants. Some of them may not be there. Reads the list of variants from the disk.
    package func storedFileNames(in cache: DiskCache) -> [String] {
        let identity = DiskIdentity(self, credential: nil)
        let list = (try? cache.entry(for: identity.primary)).flatMap { VariantList($0.metadata) }
        return [identity.primary.fileName] + (list?.lines ?? []).map { identity.variant($0).fileName }
    }
}
