public import ByteBuffers

/// A part of a body that is on its way, for those who can make something of it before the rest has come.
public enum BodyPart: Sendable, Hashable {
    /// A body begins with these bytes, which an earlier attempt may have received; what came before does not count any more.
    case start(Bytes)
    /// The next bytes.
    case more(Bytes)
}

/// Who is told how a body comes in.
struct BodyWatch: Sendable {
    var onProgress: (@Sendable (FetchProgress) -> Void)?
    var onBody: (@Sendable (BodyPart) -> Void)?
}
