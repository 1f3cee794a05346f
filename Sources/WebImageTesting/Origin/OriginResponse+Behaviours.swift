/// What origins do, well and badly.
extension OriginResponse {
    /// A file as it should be served.
    public static func file(_ bytes: [UInt8], type: String = "application/octet-stream") -> OriginResponse {
        OriginResponse(headers: [("Content-Type", type)], body: [.bytes(bytes)])
    }

    /// A status with a short text.
    public static func status(_ status: Int, text: String = "", type: String = "text/plain") -> OriginResponse {
        OriginResponse(status: status, headers: [("Content-Type", type)], body: [.bytes(Array(text.utf8))])
    }

    /// A redirect; without a location the field is missing.
    public static func redirect(to location: String?, status: Int = 302) -> OriginResponse {
        OriginResponse(status: status, headers: location.map { [("Location", $0)] } ?? [])
    }

    /// Pieces in chunks, with a gate before each piece but the first.
    public static func drip(_ pieces: [[UInt8]], gates: [Gate]) -> OriginResponse {
        var body: [Step] = []
        for (index, piece) in pieces.enumerated() {
            if index > 0, index <= gates.count { body.append(.wait(gates[index - 1])) }
            body.append(.bytes(piece))
        }
        return OriginResponse(framing: .chunked, body: body)
    }

    /// A body that closes before the announced length.
    public static func short(_ bytes: [UInt8], declaring length: Int) -> OriginResponse {
        OriginResponse(framing: .declared("\(length)"), body: [.bytes(bytes), .close])
    }

    /// A body that is broken off by a TCP reset.
    public static func reset(after bytes: [UInt8], declaring length: Int) -> OriginResponse {
        OriginResponse(framing: .declared("\(length)"), body: [.bytes(bytes), .reset])
    }

    /// Chunks without the last one.
    public static func abortedChunks(_ bytes: [UInt8]) -> OriginResponse {
        OriginResponse(framing: .chunked, body: [.bytes(bytes), .close])
    }

    /// A body that stops in the midst and keeps the connection.
    public static func stalled(after bytes: [UInt8], declaring length: Int) -> OriginResponse {
        OriginResponse(framing: .declared("\(length)"), body: [.bytes(bytes), .stall])
    }

    /// A body without an end.
    public static func endless(_ piece: [UInt8] = [UInt8](repeating: 0x20, count: 16 << 10)) -> OriginResponse {
        OriginResponse(framing: .chunked, body: [.endless(piece)])
    }

    /// A head that announces a length, of any form, and sends nothing.
    public static func announcing(_ length: String) -> OriginResponse {
        OriginResponse(framing: .declared(length), body: [.stall])
    }

    /// A head of `count` fields of `size` bytes each.
    public static func headerBomb(count: Int, size: Int) -> OriginResponse {
        let value = String(repeating: "x", count: size)
        return OriginResponse(headers: (0..<count).map { ("X-\($0)", value) })
    }

    /// Bytes that are sent as they are, then the connection is closed.
    public static func raw(_ text: String) -> OriginResponse {
        OriginResponse(framing: .raw, body: [.bytes(Array(text.utf8)), .close])
    }

    /// No answer at all.
    public static var silence: OriginResponse { OriginResponse(framing: .raw, body: [.stall]) }
}
