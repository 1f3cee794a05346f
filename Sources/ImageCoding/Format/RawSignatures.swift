/// Signatures of cameras' raw pictures. Most are TIFF files, told from pictures by what their first directory says.
extension ImageFormat {
    static func rawPicture(_ bytes: BoundedBytes) -> ImageFormat? {
        if rawSignatures.contains(where: { bytes.starts(with: $0) }) { return .raw }
        // Canon's third format is an ISO file.
        if bytes.has("ftypcrx ", at: 4) { return .raw }
        // Canon's second has its name behind TIFF's header.
        if bytes.has("CR", at: 8), bytes[10] == 2, bytes.starts(with: [0x49, 0x49, 0x2A, 0x00]) { return .raw }
        return RawDirectory(bytes)?.isRaw == true ? .raw : nil
    }

    private static let rawSignatures: [[UInt8]] = [
        // Fujifilm RAF, Olympus ORF (three of them), Panasonic RW2, Sigma X3F, Minolta MRW, Canon's first.
        Array("FUJIFILMCCD-RAW ".utf8), Array("IIRO".utf8), Array("IIRS".utf8), Array("MMOR".utf8),
        [0x49, 0x49, 0x55, 0x00, 0x18, 0x00, 0x00, 0x00], Array("FOVb".utf8), [0x00, 0x4D, 0x52, 0x4D],
        [0x49, 0x49, 0x1A, 0x00, 0x00, 0x00, 0x48, 0x45, 0x41, 0x50, 0x43, 0x43, 0x44, 0x52],
    ]
}

/// The first directory of a TIFF file (TIFF 6.0 §2), as far as it tells a sensor's data from a picture.
private struct RawDirectory {
    /// Adobe's version tag; a colour filter array or linear sensor data; or a camera that puts a small picture first.
    private(set) var isRaw = false

    /// More entries than these are not looked at.
    private static let limit = 128

    init?(_ bytes: BoundedBytes) {
        let isBigEndian: Bool
        if bytes.starts(with: [0x49, 0x49, 0x2A, 0x00]) {
            isBigEndian = false
        } else if bytes.starts(with: [0x4D, 0x4D, 0x00, 0x2A]) {
            isBigEndian = true
        } else {
            return nil
        }
        func short(_ offset: Int) -> Int? {
            isBigEndian ? bytes.bigEndian16(at: offset) : bytes.littleEndian16(at: offset)
        }
        func long(_ offset: Int) -> Int? {
            isBigEndian ? bytes.bigEndian32(at: offset) : bytes.littleEndian32(at: offset)
        }
        guard let directory = long(4), let count = short(directory) else { return nil }
        var (isReduced, isCamera) = (false, false)
        for index in 0..<min(count, Self.limit) {
            let entry = directory + 2 + index * 12
            guard let tag = short(entry), let value = short(entry + 8) else { break }
            switch tag {
            case 0xC612: isRaw = true
            case 0x0106: isRaw = isRaw || value == 32_803 || value == 34_892
            // Sony's, Nikon's and Pentax's own compressions.
            case 0x0103: isRaw = isRaw || [32_767, 34_713, 65_535].contains(value)
            // A long number's lower half, or 1 in a big-endian file's second half.
            case 0x00FE: isReduced = (long(entry + 8) ?? 0) & 1 == 1
            case 0x010F:
                guard let name = long(entry + 8) else { break }
                let makers: [StaticString] = ["NIKON", "SONY", "PENTAX", "SAMSUNG", "Hasselblad", "Phase One"]
                isCamera = makers.contains { bytes.has($0, at: name) }
            default: break
            }
        }
        isRaw = isRaw || (isReduced && isCamera)
    }
}
