#if JPEG
/// One marker of a JPEG file with what belongs to it (ITU-T T.81 §B.1.1).
struct JPEGSegment {
    let marker: UInt8
    /// Where the marker's first byte, 0xFF, stands.
    let start: Int
    /// The bytes after the length; empty for markers that stand alone.
    let payload: Range<Int>
}

enum JPEGMarker {
    static let startOfImage: UInt8 = 0xD8
    static let endOfImage: UInt8 = 0xD9
    static let startOfScan: UInt8 = 0xDA
    static let app1: UInt8 = 0xE1
    static let app2: UInt8 = 0xE2

    /// 0xC0…0xCF announce a frame, but for the tables DHT and DAC and the reserved JPG.
    static func isStartOfFrame(_ marker: UInt8) -> Bool {
        (0xC0...0xCF).contains(marker) && marker != 0xC4 && marker != 0xC8 && marker != 0xCC
    }

    static func isRestart(_ marker: UInt8) -> Bool { (0xD0...0xD7).contains(marker) }

    /// SOI, EOI, the restart markers and TEM have no length.
    static func standsAlone(_ marker: UInt8) -> Bool { (0xD0...0xD9).contains(marker) || marker == 0x01 }
}

/// Walks from marker to marker in place. Bytes between segments that belong to none are passed over, as libjpeg does.
struct JPEGMarkerReader {
    enum Step {
        case segment(JPEGSegment)
        /// The bytes end before the next segment does.
        case end
        /// A segment's length is impossible.
        case broken
    }

    let bytes: UnsafeRawBufferPointer
    private(set) var offset: Int

    init(_ bytes: UnsafeRawBufferPointer, from offset: Int) {
        self.bytes = bytes
        self.offset = offset
    }

    mutating func next() -> Step {
        guard let (start, marker) = nextMarker() else { return .end }
        if JPEGMarker.standsAlone(marker) {
            return .segment(JPEGSegment(marker: marker, start: start, payload: offset..<offset))
        }
        guard let length = bytes.bigEndianShort(at: offset) else { return .end }
        guard length >= 2 else { return .broken }
        guard offset + length <= bytes.count else { return .end }
        let payload = offset + 2..<offset + length
        offset = payload.upperBound
        return .segment(JPEGSegment(marker: marker, start: start, payload: payload))
    }

    /// Goes on to the marker that ends a scan's entropy-coded data: a restart marker or a stuffed zero do not.
    mutating func skipEntropyCodedData() {
        while let (start, marker) = nextMarker() {
            guard !JPEGMarker.isRestart(marker) else { continue }
            offset = start
            return
        }
    }

    /// The next 0xFF that is followed by neither 0xFF, which is filling, nor 0x00, which is a stuffed data byte.
    private mutating func nextMarker() -> (start: Int, marker: UInt8)? {
        while let start = bytes.firstOffset(of: 0xFF, from: offset) {
            guard start + 1 < bytes.count else { break }
            let marker = bytes[start + 1]
            offset = marker == 0xFF ? start + 1 : start + 2
            if marker != 0xFF, marker != 0 { return (start, marker) }
        }
        offset = bytes.count
        return nil
    }
}
#endif
