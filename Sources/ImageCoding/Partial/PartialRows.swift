import Pixels

/// The rows of a picture that is still coming, on their way to the newest sink.
struct PartialRows {
    /// Rows are worth looking at again when another part of this size has come.
    private static let parts = 8

    let info: ImageInfo
    let options: DecodeOptions
    let header: RowHeader
    /// How many passes were begun.
    private(set) var pass = 0
    /// The next row of the pass that is under way.
    private(set) var row = 0
    private var shownRow = 0
    private var sink: (any RowSink)?
    private let makeSink: (ImageInfo) throws -> any RowSink

    /// - Parameter header: of every pass.
    init(
        _ info: ImageInfo, _ header: RowHeader, options: DecodeOptions,
        into makeSink: @escaping (ImageInfo) throws -> any RowSink
    ) {
        self.info = info
        self.header = header
        self.options = options
        self.makeSink = makeSink
    }

    /// All rows of the pass have come.
    var isWhole: Bool { row == header.size.height }

    /// Begins to show the whole picture, again or for the first time.
    mutating func beginPass() throws {
        let sink = try makeSink(info)
        try sink.begin(header)
        self.sink = sink
        pass += 1
        row = 0
        shownRow = 0
    }

    /// Hands on the rows that come now.
    ///
    /// - Parameters:
    ///   - end: the first row that is not wanted, at most the picture's height.
    ///   - make: makes some of the given rows at the strip's start, from the first one on.
    /// - Returns: how many it made; fewer than asked for end the call.
    mutating func take(
        upTo end: Int, make: (_ strip: RowStrip, _ rows: Range<Int>) throws -> Int
    ) throws {
        guard let sink else { return }
        while row < end {
            try options.checkCancellation()
            let strip = try sink.nextStrip()
            let rows = row..<row + min(strip.rowCount, RowRoom.deliveredRows, end - row)
            let made = try make(strip, rows)
            if made > 0 { try sink.commit(rows: made) }
            row += made
            guard made == rows.count else { return }
        }
    }

    /// Shows the whole picture in a pass of its own.
    ///
    /// - Parameter fill: writes the given rows at the strip's start.
    mutating func show(_ fill: (_ strip: RowStrip, _ rows: Range<Int>) throws -> Void) throws -> PartialProgress? {
        try beginPass()
        try take(upTo: header.size.height) { strip, rows in
            try fill(strip, rows)
            return rows.count
        }
        return look()
    }

    /// - Returns: how far the pass has come; `nil` when that was seen, or too little is new.
    mutating func look() -> PartialProgress? {
        guard row > shownRow, isWhole || (row - shownRow) * Self.parts >= header.size.height else { return nil }
        shownRow = row
        return PartialProgress(info: info, pass: pass, rows: row, rowCount: header.size.height)
    }
}
