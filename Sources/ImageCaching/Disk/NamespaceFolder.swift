/// The name of a namespace's folder.
///
/// Small letters, digits, `-` and `_` stand for themselves, every other byte is `%` and two small hexadecimal digits: a
/// namespace leads nowhere else, whatever it holds, and no two of them meet in one folder, not even where the file system
/// takes capitals for small letters or one form of an accent for another. What is empty or becomes longer than a file's
/// name may be is `=` and a SHA-256.
enum NamespaceFolder {
    /// The folder that has all namespaces.
    static let parent = "namespaces"
    private static let longest = 200

    static func name(of namespace: String) -> String {
        var name: [UInt8] = []
        for byte in namespace.utf8 where name.count <= longest {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"),
                UInt8(ascii: "_"):
                name.append(byte)
            default:
                name += [UInt8(ascii: "%"), digit(byte >> 4), digit(byte & 15)]
            }
        }
        guard (1...longest).contains(name.count) else {
            var fields = KeyFields("namespace/1")
            fields.append(namespace)
            return "=\(DiskKey(fields).fileName)"
        }
        return String(decoding: name, as: UTF8.self)
    }

    private static func digit(_ value: UInt8) -> UInt8 {
        value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + value - 10
    }
}
