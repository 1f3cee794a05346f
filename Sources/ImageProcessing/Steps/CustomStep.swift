public import Pixels

/// A step of a program's own making.
public struct CustomStep: Hashable, Sendable {
    /// What tells it from all others. It has to name every parameter that the closure uses: two steps of one name are
    /// taken to do the same.
    public let name: String
    let body: @Sendable (Bitmap) throws -> Bitmap

    /// - Parameter body: called on a decode thread, for different pictures at the same time.
    public init(_ name: String, body: @escaping @Sendable (Bitmap) throws -> Bitmap) {
        self.name = name
        self.body = body
    }

    public static func == (left: CustomStep, right: CustomStep) -> Bool { left.name == right.name }

    public func hash(into hasher: inout Hasher) { hasher.combine(name) }
}
