import Pixels

/// Decodes one picture while its bytes are still coming. For one thread at a time.
///
/// What it delivers is for looking at meanwhile: the picture itself is decoded from all of the bytes, as any other.
/// In all it takes no more than twice the work of one whole decode, however small the portions are in which bytes come.
public protocol PartialDecoder: AnyObject {
    /// Takes the bytes that have come so far: all of them, not only those that are new. They may lie elsewhere each time.
    ///
    /// A pass that shows the whole picture better than the one before begins with a fresh sink; rows that come from top
    /// to bottom go on in the same one.
    ///
    /// - Returns: what the newest sink holds now; `nil` when there is nothing new that is worth looking at.
    /// - Throws: ``CodingError``, or whatever a sink throws. Then it has nothing more to show; that says little about the
    ///   picture, which may use something that is not shown in parts.
    func update(_ bytes: UnsafeRawBufferPointer) throws -> PartialProgress?
}

/// How far a picture has come.
public struct PartialProgress: Hashable, Sendable {
    /// The picture's header.
    public let info: ImageInfo
    /// How often the whole picture was begun: 1 for rows that come from top to bottom, more for passes from coarse to fine.
    public let pass: Int
    /// How many of the stored rows of this pass, in the decoder's scale, have been delivered.
    public let rows: Int
    /// How many rows the pass will have.
    public let rowCount: Int

    public init(info: ImageInfo, pass: Int, rows: Int, rowCount: Int) {
        self.info = info
        self.pass = pass
        self.rows = rows
        self.rowCount = rowCount
    }
}

/// A decoder that can show pictures before all of their bytes are there.
public protocol PartialImageDecoder: ImageDecoder {
    /// Begins to look at a picture.
    func makePartialDecoder(for request: PartialRequest) -> any PartialDecoder
}

extension CoderRegistry {
    /// Begins to look at a picture whose first bytes have come.
    ///
    /// - Returns: `nil` when the format is not known (yet), or has no decoder that shows pictures in parts.
    public func partialDecoder(
        for bytes: UnsafeRawBufferPointer, _ request: PartialRequest
    ) -> (any PartialDecoder)? {
        let candidates = (try? decoders(for: bytes)) ?? []
        return (candidates.first as? any PartialImageDecoder)?.makePartialDecoder(for: request)
    }
}
