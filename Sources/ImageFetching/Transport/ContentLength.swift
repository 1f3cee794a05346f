extension HTTPHeaders {
    /// How long the body is said to be; nil if that is not said, `Int.max` for more than fits.
    ///
    /// RFC 9112 §6.3: lengths that contradict each other, or one beside chunks, smell of a forged response.
    ///
    /// A 204 and a 304 have no body, whatever they say: the length in a 304 is that of the stored response (RFC 9110
    /// §8.6).
    ///
    /// - Throws: `protocolError`.
    func contentLength(status: Int) throws(FetchError) -> Int? {
        if status == 204 || status == 304 { return 0 }
        guard let list = self["Content-Length"] else { return nil }
        let values = list.utf8.contains(UInt8(ascii: ",")) ? list.split(separator: ",").map(\.trimmed) : [list[...]]
        guard let value = values.first, values.allSatisfy({ $0 == value }), !value.isEmpty,
            value.utf8.allSatisfy({ (0x30...0x39).contains($0) })
        else {
            throw FetchError(.protocolError, "The response's Content-Length is not one number.")
        }
        guard self["Transfer-Encoding"] == nil else {
            throw FetchError(.protocolError, "The response has both a Content-Length and a Transfer-Encoding.")
        }
        // More digits than Int holds are more bytes than anybody allows.
        return Int(value) ?? Int.max
    }
}

extension Substring {
    /// Without spaces and tabs at both ends.
    fileprivate var trimmed: Substring {
        let rest = drop { $0 == " " || $0 == "\t" }
        guard let last = rest.lastIndex(where: { $0 != " " && $0 != "\t" }) else { return rest }
        return rest[...last]
    }
}
