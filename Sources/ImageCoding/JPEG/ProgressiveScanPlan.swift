#if JPEG
import Pixels

/// Which bytes of a progressive JPEG have to be decoded for a wanted scale.
///
/// A progressive file brings each block's coefficients in several scans, coarse ones first (ITU-T T.81 §G.1.1.1). A
/// picture at an eighth of its size shows one pixel of each block: its mean, the DC coefficient. At a quarter it shows
/// little more than the four lowest frequencies. The other scans, most of the bytes, are left out: their headers and
/// data are not shown to the decoder, while every table between them is, because a later scan may need it.
///
/// Colour that is stored at half the resolution is shown at twice the scale, so its scans are chosen for that.
///
/// A file is only cut when all of it is there. One without its end marker is handed on whole, so that a file counts as
/// truncated or not whatever scale is asked for. Damage inside a scan that is left out is not noticed.
struct ProgressiveScanPlan {
    /// The parts to decode, in order.
    let parts: [Range<Int>]
    /// How many scans the file has, wanted or not.
    let scanCount: Int
    /// Scans are left out.
    let isPartial: Bool

    /// - Throws: ``CodingError`` with `tooComplex` when there are more scans than `maxScans`.
    init(
        _ bytes: UnsafeRawBufferPointer, header: JPEGHeader, scale: DCTScale, maxScans: Int
    ) throws(CodingError) {
        var reader = JPEGMarkerReader(bytes, from: header.firstScan)
        var scans: [Scan] = []
        var end: Int?
        while end == nil, case .segment(let segment) = reader.next() {
            switch segment.marker {
            case JPEGMarker.endOfImage:
                end = reader.offset
            case JPEGMarker.startOfScan:
                guard scans.count < maxScans else {
                    throw CodingError(
                        .tooComplex, "The JPEG has more than \(maxScans) scans for its size.", format: .jpeg)
                }
                reader.skipEntropyCodedData()
                let payload = UnsafeRawBufferPointer(rebasing: bytes[segment.payload])
                scans.append(Scan(payload, extent: segment.start..<reader.offset))
            default:
                continue
            }
        }
        scanCount = scans.count
        let unwanted = Self.unwanted(of: scans, header: header, scale: scale)
        guard let end, !unwanted.isEmpty else {
            parts = [0..<bytes.count]
            isPartial = false
            return
        }
        parts = Self.complement(of: unwanted, upTo: end)
        isPartial = true
    }

    /// The extents of scans that add nothing which is visible at the scale, empty when all have to be decoded.
    private static func unwanted(of scans: [Scan], header: JPEGHeader, scale: DCTScale) -> [Range<Int>] {
        guard scale == .eighth || scale == .quarter else { return [] }
        var unwanted = Set(scans.map(\.extent))
        for component in header.components {
            let own = scans.filter { $0.components.contains(component.identifier) }
            guard let wanted = wanted(of: own, scale: header.scale(of: component, at: scale)) else { return [] }
            unwanted.subtract(wanted.map(\.extent))
        }
        return unwanted.sorted { $0.lowerBound < $1.lowerBound }
    }

    /// The scans that a component needs for the scale it is shown at, `nil` when there is no telling.
    private static func wanted(of scans: [Scan], scale: DCTScale) -> [Scan]? {
        guard scans.contains(where: \.isMean) else { return nil }
        switch scale {
        case .eighth:
            return scans.filter(\.isMean)
        case .quarter:
            let isCovered = lowFrequencies.allSatisfy { frequency in
                scans.contains { $0.beginsLowFrequencies && $0.band.contains(frequency) }
            }
            return isCovered ? scans.filter { $0.isMean || $0.beginsLowFrequencies } : nil
        case .half, .full:
            return scans
        }
    }

    private static let lowFrequencies = 1...4

    private static func complement(of holes: [Range<Int>], upTo end: Int) -> [Range<Int>] {
        var parts: [Range<Int>] = []
        var start = 0
        for hole in holes {
            if start < hole.lowerBound { parts.append(start..<hole.lowerBound) }
            start = hole.upperBound
        }
        if start < end { parts.append(start..<end) }
        return parts
    }

    /// A scan's header (ITU-T T.81 §B.2.3) and where it stands with its data.
    private struct Scan {
        let extent: Range<Int>
        let components: [UInt8]
        /// First and last coefficient in zigzag order; empty when the header makes no sense.
        let band: Range<Int>
        /// The scan makes known coefficients more precise.
        let isRefinement: Bool
        /// How many low bits are still to come.
        let missingBits: Int

        init(_ payload: UnsafeRawBufferPointer, extent: Range<Int>) {
            self.extent = extent
            let count = payload.first.map(Int.init) ?? 0
            guard payload.count >= 4 + 2 * count, payload[1 + 2 * count] <= payload[2 + 2 * count] else {
                (components, band, isRefinement, missingBits) = ([], 0..<0, false, 0)
                return
            }
            components = (0..<count).map { payload[1 + 2 * $0] }
            band = Int(payload[1 + 2 * count])..<Int(payload[2 + 2 * count]) + 1
            isRefinement = payload[3 + 2 * count] >> 4 != 0
            missingBits = Int(payload[3 + 2 * count] & 15)
        }

        /// All DC scans are wanted, the refining ones too: they are short.
        var isMean: Bool { band.lowerBound == 0 && !band.isEmpty }

        /// The first pass over low frequencies. One that leaves out more than two bits would be seen.
        var beginsLowFrequencies: Bool {
            lowFrequencies.overlaps(band) && !isRefinement && missingBits <= 2
        }
    }
}

extension JPEGHeader {
    /// The scale at which libjpeg transforms a component: one with fewer samples is doubled as long as it has to be
    /// spread out anyway, on both axes alike.
    fileprivate func scale(of component: Component, at scale: DCTScale) -> DCTScale {
        let across = components.map(\.sampling.horizontal).max() ?? 1
        let down = components.map(\.sampling.vertical).max() ?? 1
        let (ownAcross, ownDown) = component.sampling
        guard ownAcross > 0, ownDown > 0 else { return .full }
        var eighths = scale.rawValue
        while eighths < 8, across * scale.rawValue % (ownAcross * eighths * 2) == 0,
            down * scale.rawValue % (ownDown * eighths * 2) == 0
        {
            eighths *= 2
        }
        return DCTScale(rawValue: eighths) ?? .full
    }
}
#endif
