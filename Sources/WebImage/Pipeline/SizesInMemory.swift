import ImageCaching
import ImageCoding
import Pixels
import Synchronization

/// Knows in which sizes a picture was put into memory, for requests that take a larger one than they asked for
/// (``CachePolicy/acceptedOversize``).
///
/// It is asked only by them, after the exact size was not found. What it knows is itself a small cache: what it forgets,
/// and what is no longer in memory, is loaded as if nothing had been there.
final class SizesInMemory: Sendable {
    fileprivate struct Entry: Sendable {
        let key: KeyDigest
        let target: TargetSize?
        let limits: DecodeLimits
        let manner: Manner
        /// The size of the picture that it was made of.
        let original: PixelSize
    }

    /// What else than the size and the limits made the pixels what they are.
    fileprivate struct Manner: Hashable {
        private let color: ColorHandling
        private let usesEmbeddedThumbnail: Bool
        private let byteLimit: Int?

        init(_ options: RequestOptions) {
            (color, usesEmbeddedThumbnail) = (options.color, options.usesEmbeddedThumbnail)
            byteLimit = options.byteLimit
        }
    }

    private static let sizesOfOne = 8

    /// Under the identity of the bytes that they were made of.
    private let pictures = MemoryCache<KeyDigest, [Entry]>(costLimit: .max, countLimit: 4_096)
    private let noting = Mutex(())

    /// Remembers that a picture that was decoded for a request is in memory under a key, without any processing.
    func note(_ request: ImageRequest, _ key: KeyDigest, original: PixelSize) {
        let bytes = request.keys.bytes
        noting.withLock { _ in
            var entries = pictures.value(forKey: bytes) ?? []
            guard !entries.contains(where: { $0.key == key }) else { return }
            entries.append(
                Entry(
                    key: key, target: request.target, limits: request.limits, manner: Manner(request.options),
                    original: original))
            pictures.insert(entries.suffix(Self.sizesOfOne), forKey: bytes, cost: 0)
        }
    }

    /// The smallest picture in memory that shows what the request wants in at least its size, and that is not larger than
    /// the request takes.
    @inline(never)
    func larger(for request: ImageRequest, in memory: ImageMemoryCache) -> CachedPicture? {
        guard request.caching.acceptedOversize > 1, request.processing.isEmpty, let target = request.target,
            let entries = pictures.value(forKey: request.keys.bytes)
        else { return nil }
        let manner = Manner(request.options)
        let fitting = entries.filter { entry in
            entry.limits == request.limits && entry.manner == manner
                && target.placement(of: entry.original).isMet(
                    by: entry.placement, upTo: request.caching.acceptedOversize)
        }
        for entry in fitting.sorted(by: { $0.area < $1.area }) {
            if let picture = memory.value(forKey: entry.key), picture.suits(request) { return picture }
        }
        return nil
    }
}

extension SizesInMemory.Entry {
    fileprivate var placement: TargetSize.Placement {
        (target ?? TargetSize(width: original.width, height: original.height)).placement(of: original)
    }

    fileprivate var area: Int { placement.crop.width * placement.crop.height }
}

extension TargetSize.Placement {
    /// Whether another placement of the same picture keeps the same part of it, in no less and not much more pixels.
    fileprivate func isMet(by other: TargetSize.Placement, upTo factor: Double) -> Bool {
        Self.isMet(
            crop.width, of: scaled.width, by: other.crop.width, of: other.scaled.width, upTo: factor)
            && Self.isMet(
                crop.height, of: scaled.height, by: other.crop.height, of: other.scaled.height, upTo: factor)
    }

    /// Sides were rounded to pixels, so the part may differ by less than one, and so may the largest side.
    private static func isMet(
        _ kept: Int, of whole: Int, by otherKept: Int, of otherWhole: Int, upTo factor: Double
    ) -> Bool {
        let part = Double(otherKept) / Double(otherWhole) * Double(whole)
        return otherKept >= kept && Double(otherKept) < Double(kept) * factor + 1 && abs(part - Double(kept)) < 1
    }
}
