#if LCMS
import Pixels
import Synchronization

/// The conversions that were used last. Making one takes lcms2 from 50 µs to several milliseconds for a press's profile,
/// and the pictures of one site tend to have the same one.
final class TransformCache: Sendable {
    static let shared = TransformCache()

    /// A press's profile takes about half a megabyte when it is ready for use.
    private static let limit = 8

    private struct Entry {
        let description: ColorDescription
        let source: SampleLayout
        let component: PixelFormat.Component
        /// `nil` where lcms2 could make nothing of it: it is not asked again.
        let transform: ProfileTransform?
    }

    /// The last used comes last.
    private let entries = Mutex<[Entry]>([])

    /// How many are kept.
    var count: Int { entries.withLock(\.count) }

    func transform(
        _ description: ColorDescription, _ source: SampleLayout, _ component: PixelFormat.Component
    ) -> ProfileTransform? {
        let found: Entry? = entries.withLock { entries in
            let index = entries.lastIndex {
                $0.source == source && $0.component == component && $0.description == description
            }
            guard let index else { return nil }
            let entry = entries.remove(at: index)
            entries.append(entry)
            return entry
        }
        if let found { return found.transform }
        // Two threads may make the same one; that is cheaper than letting one wait for another's.
        let entry = Entry(
            description: description, source: source, component: component,
            transform: ProfileTransform(description, source, component))
        entries.withLock { entries in
            entries.append(entry)
            if entries.count > Self.limit { entries.removeFirst() }
        }
        return entry.transform
    }
}
#endif
