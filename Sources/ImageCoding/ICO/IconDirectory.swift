import Pixels

/// The pictures of an icon or a cursor.
struct IconDirectory {
    struct Entry {
        /// The picture's own bytes: a PNG file, or a bitmap without a file header.
        let bytes: BoundedBytes
        /// By the picture's own header, not by the directory's two bytes.
        let size: PixelSize
        let bits: Int
        let isPNG: Bool
    }

    /// More than these are not looked at.
    private static let limit = 256

    let format: ImageFormat
    let entries: [Entry]

    init(_ bytes: UnsafeRawBufferPointer) throws(CodingError) {
        let file = BoundedBytes(bytes)
        let format: ImageFormat = file.littleEndian16(at: 2) == 2 ? .cur : .ico
        guard file.littleEndian16(at: 0) == 0, let count = file.littleEndian16(at: 4), count > 0 else {
            throw CodingError(.malformed, "The bytes are no icon.", format: format)
        }
        self.format = format
        var first: CodingError?
        var entries: [Entry] = []
        for index in 0..<min(count, Self.limit) {
            do throws(CodingError) {
                entries.append(try Self.entry(file, at: 6 + index * 16, format))
            } catch {
                first = first ?? error
            }
        }
        guard !entries.isEmpty else {
            throw first ?? CodingError(.malformed, "The icon has no picture.", format: format)
        }
        self.entries = entries
    }

    /// The smallest picture that covers `minimum`, of the most colours; without one, or without a minimum, the largest.
    func best(covering minimum: PixelSize?) -> Entry? {
        func area(_ entry: Entry) -> Int { entry.size.pixelCount ?? .max }
        func isLess(_ left: Entry, _ right: Entry) -> Bool { (area(left), left.bits) < (area(right), right.bits) }
        let largest = entries.max(by: isLess)
        guard let minimum, minimum.isPositive else { return largest }
        let covering = entries.filter { $0.size.width >= minimum.width && $0.size.height >= minimum.height }
        guard let smallest = covering.map(area).min() else { return largest }
        return covering.filter { area($0) == smallest }.max(by: isLess)
    }

    private static func entry(
        _ file: BoundedBytes, at offset: Int, _ format: ImageFormat
    ) throws(CodingError) -> Entry {
        guard let count = file.littleEndian32(at: offset + 8), let start = file.littleEndian32(at: offset + 12) else {
            throw CodingError(.truncated, "The file ends in the icon's directory.", format: format)
        }
        guard start <= file.count, count <= file.count - start else {
            throw CodingError(.truncated, "The file ends before the icon's picture does.", format: format)
        }
        let bytes = BoundedBytes(file.slice(start..<start + count))
        if bytes.starts(with: [0x89, 0x50, 0x4E, 0x47]) {
            guard let width = bytes.bigEndian32(at: 16), let height = bytes.bigEndian32(at: 20), width > 0, height > 0
            else { throw CodingError(.malformed, "The icon's PNG has no size.", format: format) }
            return Entry(bytes: bytes, size: PixelSize(width: width, height: height), bits: 32, isPNG: true)
        }
        let header = try BMPHeader(bytes, isIcon: true, format: format)
        return Entry(bytes: bytes, size: header.size, bits: header.bits, isPNG: false)
    }
}
