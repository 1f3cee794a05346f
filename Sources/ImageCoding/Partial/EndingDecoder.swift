/// A partial decoder that can say that it has nothing more to show.
protocol FinitePartialDecoder: PartialDecoder {
    var isOver: Bool { get }
}

extension FinitePartialDecoder {
    /// Unless it says otherwise, more may always come.
    var isOver: Bool { false }
}

/// What all partial decoders do at their ends: too many bytes are refused, and after an error, or when nothing more is to
/// come, the decoder is let go with all its memory.
final class EndingDecoder: PartialDecoder {
    private var decoder: (any FinitePartialDecoder)?
    private let limits: DecodeLimits

    init(_ decoder: any FinitePartialDecoder, limits: DecodeLimits) {
        self.decoder = decoder
        self.limits = limits
    }

    func update(_ bytes: UnsafeRawBufferPointer) throws -> PartialProgress? {
        guard let decoder else { return nil }
        do {
            try limits.check(inputBytes: bytes.count)
            let progress = try decoder.update(bytes)
            if decoder.isOver { self.decoder = nil }
            return progress
        } catch {
            self.decoder = nil
            throw error
        }
    }
}
