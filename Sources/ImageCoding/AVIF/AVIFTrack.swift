#if AVIF
/// What the track of a sequence says of time (ISO/IEC 14496-12 §8).
///
/// libavif 0.11 does not tell how often it plays, and to tell one frame's duration it walks over all before it.
struct AVIFTrack {
    /// How often the sequence plays in all; 0 for ever.
    let loopCount: Int
    /// Ticks in a second.
    private let timescale: Int
    private let timesToSamples: BoundedBytes?

    init(_ file: UnsafeRawBufferPointer) {
        let track = ISOBoxes.first("moov", in: BoundedBytes(file)).flatMap { movie in
            // That of colours; that of their alpha is of another kind.
            ISOBoxes.all("trak", in: movie).first { ISOBoxes.first("mdia", "hdlr", in: $0)?.has("pict", at: 8) == true }
        }
        loopCount = track.map(Self.loopCount(of:)) ?? 0
        let media = track.flatMap { ISOBoxes.first("mdia", in: $0) }
        let header = media.flatMap { ISOBoxes.first("mdhd", in: $0) }
        timescale = header.flatMap { $0.bigEndian32(at: $0[0] == 1 ? 20 : 12) } ?? 0
        timesToSamples = media.flatMap { ISOBoxes.first("minf", "stbl", "stts", in: $0) }
    }

    /// How long each of the first frames is shown: runs of frames that are shown equally long (§8.6.1.2). Frames behind the
    /// last run are shown as long as those in it.
    func delays(_ count: Int) -> [Duration] {
        guard let runs = timesToSamples else { return Array(repeating: .zero, count: count) }
        var delays: [Duration] = []
        var delay = Duration.zero
        for run in 0..<(runs.bigEndian32(at: 4) ?? 0) {
            guard delays.count < count, let length = runs.bigEndian32(at: 8 + run * 8),
                let ticks = runs.bigEndian32(at: 12 + run * 8)
            else { break }
            delay = Duration(ticks: UInt32(ticks), perTicks: UInt32(timescale))
            delays += Array(repeating: delay, count: min(length, count - delays.count))
        }
        return delays + Array(repeating: delay, count: count - delays.count)
    }

    /// By the track's edit list (§8.6.6 and ISO/IEC 23008-12 §9.6.1); without one for ever, as in browsers.
    private static func loopCount(of track: BoundedBytes) -> Int {
        guard let edits = ISOBoxes.first("edts", "elst", in: track), let flags = edits.bigEndian32(at: 0) else {
            return 0
        }
        // The lowest flag repeats the list until the track's duration is over.
        guard flags & 1 != 0, let header = ISOBoxes.first("tkhd", in: track) else { return 1 }
        guard let length = length(of: edits), let duration = duration(of: header), length > 0 else { return 0 }
        let (plays, rest) = duration.quotientAndRemainder(dividingBy: length)
        return Int(clamping: plays + (rest > 0 ? 1 : 0))
    }

    /// Of the only edit.
    private static func length(of edits: BoundedBytes) -> UInt64? {
        guard edits.bigEndian32(at: 4) == 1 else { return nil }
        return edits[0] == 1 ? edits.bigEndian64(at: 8) : edits.bigEndian32(at: 8).map(UInt64.init)
    }

    /// `nil` for all ones: it has no end.
    private static func duration(of header: BoundedBytes) -> UInt64? {
        if header[0] == 1 { return header.bigEndian64(at: 28).flatMap { $0 == .max ? nil : $0 } }
        return header.bigEndian32(at: 20).flatMap { $0 == 0xFFFF_FFFF ? nil : UInt64($0) }
    }
}
#endif
