#if AVIF
/// How often a sequence plays, by the edit list of its track (ISO/IEC 14496-12 §8.6.6, 23008-12 §9.6.1).
struct AVIFLoops {
    /// In all; 0 for ever.
    let count: Int

    init(_ file: UnsafeRawBufferPointer) {
        let track = ISOBoxes.first("moov", in: BoundedBytes(file)).flatMap { movie in
            // Of colours; that of their alpha follows it.
            ISOBoxes.all("trak", in: movie).first { ISOBoxes.first("mdia", "hdlr", in: $0)?.has("pict", at: 8) == true }
        }
        guard let track, let edits = ISOBoxes.first("edts", "elst", in: track), let flags = edits.bigEndian32(at: 0)
        else {
            count = 0
            return
        }
        // The lowest flag repeats the list until the track's duration is over.
        guard flags & 1 != 0, let header = ISOBoxes.first("tkhd", in: track) else {
            count = 1
            return
        }
        count = Self.plays(of: Self.length(of: edits), within: Self.duration(of: header)) ?? 0
    }

    /// `nil` where the duration is not known, which means for ever, or makes no sense.
    private static func plays(of length: UInt64?, within duration: UInt64?) -> Int? {
        guard let length, let duration, length > 0 else { return nil }
        let (plays, rest) = duration.quotientAndRemainder(dividingBy: length)
        return Int(clamping: plays + (rest > 0 ? 1 : 0))
    }

    /// Of the only edit.
    private static func length(of edits: BoundedBytes) -> UInt64? {
        guard edits.bigEndian32(at: 4) == 1 else { return nil }
        return edits[0] == 1 ? edits.bigEndian64(at: 8) : edits.bigEndian32(at: 8).map(UInt64.init)
    }

    /// All ones when it is not known.
    private static func duration(of header: BoundedBytes) -> UInt64? {
        if header[0] == 1 { return header.bigEndian64(at: 28).flatMap { $0 == .max ? nil : $0 } }
        return header.bigEndian32(at: 20).flatMap { $0 == 0xFFFF_FFFF ? nil : UInt64($0) }
    }
}
#endif
