import ByteBuffers

/// A directory of a TIFF structure with the values of its entries, so that it can be written at another place and in the
/// other byte order (TIFF 6.0 §2).
///
/// What a maker's note holds of offsets points elsewhere afterwards: nobody but the maker can follow them.
struct TIFFDirectory {
    struct Entry: Equatable {
        let type: Int
        /// In little-endian order.
        var values: [UInt8]
    }

    /// Tags whose value is the place of another directory.
    enum Tag {
        static let exif = 0x8769
        static let gps = 0x8825
        static let interoperability = 0xA005
        static let xmp = 700
        static let profile = 34_675
    }

    /// How many bytes a value of a type has, and how many the numbers that it is made of.
    static let sizes: [Int: (value: Int, number: Int)] = [
        1: (1, 1), 2: (1, 1), 3: (2, 2), 4: (4, 4), 5: (8, 4), 6: (1, 1), 7: (1, 1), 8: (2, 2), 9: (4, 4), 10: (8, 4),
        11: (4, 4), 12: (8, 8),
    ]

    /// Tags that describe a picture, not how its pixels are stored: the rest of a TIFF's own directory is no EXIF.
    static let descriptiveTags: Set<Int> = [
        0x010E, 0x010F, 0x0110, ExifOrientation.tag, 0x0131, 0x0132, 0x013B, 0x013C, 0x4746, 0x4749, 0x8298,
        0x9C9B, 0x9C9C, 0x9C9D, 0x9C9E, 0x9C9F,
    ]

    private(set) var entries: [Int: Entry] = [:]
    private(set) var directories: [Int: TIFFDirectory] = [:]

    var isEmpty: Bool { entries.isEmpty && directories.isEmpty }

    /// Nothing.
    init() {}

    /// Copies a directory and those below it. What does not lie within the bytes is left out.
    ///
    /// - Parameters:
    ///   - limit: the most bytes that are copied in all, however often the directory names them.
    ///   - isWanted: whether a tag of this directory is copied; of those below it all are.
    init(_ tiff: TIFFReader, at start: Int, limit: Int, isWanted: (Int) -> Bool = { _ in true }) {
        var left = limit
        self.init(tiff, at: start, left: &left, pointers: [Tag.exif, Tag.gps], isWanted)
    }

    private init(
        _ tiff: TIFFReader, at start: Int, left: inout Int, pointers: Set<Int>, _ isWanted: (Int) -> Bool
    ) {
        for index in 0..<(tiff.short(at: start) ?? 0) {
            let entry = start + 2 + index * 12
            guard let tag = tiff.short(at: entry) else { return }
            if pointers.contains(tag) {
                guard let place = tiff.firstValue(ofEntryAt: entry), directories[tag] == nil else { continue }
                let below = TIFFDirectory(
                    tiff, at: place, left: &left, pointers: tag == Tag.exif ? [Tag.interoperability] : []
                ) { _ in true }
                if !below.isEmpty { directories[tag] = below }
            } else if isWanted(tag), entries[tag] == nil, let (type, values) = tiff.values(ofEntryAt: entry) {
                guard values.count + 12 <= left else { continue }
                left -= values.count + 12
                entries[tag] = Entry(type: type, values: Self.littleEndian(values, type, tiff.isBigEndian))
            }
        }
    }

    private static func littleEndian(_ values: UnsafeRawBufferPointer, _ type: Int, _ isBigEndian: Bool) -> [UInt8] {
        guard isBigEndian, let size = sizes[type]?.number, size > 1 else { return Array(values) }
        return values.indices.map { values[$0 - $0 % size + (size - 1 - $0 % size)] }
    }

    mutating func set(_ tag: Int, type: Int, _ values: [UInt8]) {
        entries[tag] = Entry(type: type, values: values)
    }

    /// Takes over what another directory has.
    mutating func merge(_ other: TIFFDirectory) {
        entries.merge(other.entries) { _, new in new }
        directories.merge(other.directories) { _, new in new }
    }

    /// The directory in little-endian order, its values and the directories below it behind it.
    ///
    /// - Parameter start: where in the structure it will stand: an even number.
    func bytes(at start: Int) -> [UInt8] {
        let tags = (Array(entries.keys) + directories.keys).sorted()
        var table = Self.number(tags.count, length: 2)
        var behind: [UInt8] = []
        let end = start + 2 + tags.count * 12 + 4
        for tag in tags {
            table += Self.number(tag, length: 2)
            if let directory = directories[tag] {
                table += Self.number(4, length: 2) + Self.number(1, length: 4)
                table += Self.number(end + behind.count, length: 4)
                behind += directory.bytes(at: end + behind.count)
            } else if let entry = entries[tag] {
                let count = entry.values.count / (Self.sizes[entry.type]?.value ?? 1)
                table += Self.number(entry.type, length: 2) + Self.number(count, length: 4)
                if entry.values.count <= 4 {
                    table += entry.values + [UInt8](repeating: 0, count: 4 - entry.values.count)
                } else {
                    table += Self.number(end + behind.count, length: 4)
                    behind += entry.values
                }
            }
            if behind.count % 2 == 1 { behind.append(0) }
        }
        return table + [0, 0, 0, 0] + behind
    }

    static func number(_ value: Int, length: Int) -> [UInt8] {
        (0..<length).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }
}
