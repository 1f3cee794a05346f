/// How a memory cache finds a value again that it no longer keeps, as long as somebody else still holds it.
///
/// What makes room is often still in use: the picture on the screen was looked up a minute ago. With a weak level the
/// cache remembers what left it without holding it, and takes it back when it is asked for and still there. Then the
/// same pixels are not loaded and decoded a second time, and not held twice.
///
/// The level knows a value by the closure that ``init(_:)`` is given. The value need not be an object itself: it may
/// consist of one and of some facts about it, and be put together again.
///
/// ```swift
/// let cache = MemoryCache<String, Page>(weakLevel: .objects)   // Page is a class
/// ```
public struct WeakLevel<Value: Sendable>: Sendable {
    @usableFromInline let weaken: @Sendable (Value) -> @Sendable () -> Value?

    /// - Parameter weaken: makes of a value the way back to it: a closure that holds the value's object weakly and
    ///   returns nil once the object is gone. Both closures run under the cache's lock, and
    ///   what they hold is let go there: they must not call the cache.
    public init(_ weaken: @escaping @Sendable (Value) -> @Sendable () -> Value?) {
        self.weaken = weaken
    }
}

extension WeakLevel where Value: AnyObject {
    /// For values that are objects.
    public static var objects: WeakLevel {
        WeakLevel { value in
            let reference = WeakReference(object: value)
            return { reference.object }
        }
    }
}

private struct WeakReference<Object: AnyObject & Sendable>: Sendable {
    weak let object: Object?
}
