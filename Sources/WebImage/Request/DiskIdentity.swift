import ImageCaching
import ImageFetching

/// The names of a request's bytes on disk.
///
/// The address and the fields that are sent make the *primary* name. The fields that negotiate content are left out of it:
/// a server that looks at them says so by `Vary` (RFC 9110 §12.5.5), and then every variant has a name of its own, made
/// from the primary one and what the request says in those fields (RFC 9111 §4.1).
///
/// Names are hashes of hashes: no address, password or header is written into the cache.
struct DiskIdentity: Sendable {
    /// Fields that servers answer differently to, and say so.
    static let negotiating: Set<String> = [
        "accept", "accept-charset", "accept-encoding", "accept-language", "cache-control", "pragma", "user-agent",
    ]

    private let fileName: String

    /// - Parameter credential: tells apart what servers gave to whom.
    init(_ request: ImageRequest, credential: String?) {
        var fields = KeyFields("bytes/2")
        fields.append(request.options.keyFilter.identity(of: request.url))
        fields.append(request.headers.sortedFields.filter { !Self.negotiating.contains($0.name) })
        fields.append(optional: request.options.hooks?.name)
        fields.append(optional: credential)
        fileName = DiskKey(fields).fileName
    }

    var primary: DiskKey {
        var fields = KeyFields("sha256/1")
        fields.append(fileName)
        return DiskKey(fields)
    }

    /// - Parameter varying: what the request says in the fields that `Vary` names.
    func variant(_ varying: [String: String]) -> DiskKey { variant(VariantList.line(varying)) }

    /// - Parameter line: which picture is made of the bytes, see ``line(of:)``.
    func result(_ line: String) -> DiskKey {
        var fields = KeyFields("result/1")
        fields.append(fileName)
        fields.append(line)
        return DiskKey(fields)
    }

    /// One line for the picture that a request wants: its size, its processing, and every field that is sent, as a server
    /// may answer differently to each. The limits are left out: what is finished has passed them.
    static func line(of request: ImageRequest) -> String {
        var fields = KeyFields("picture/1")
        fields.append(request.headers.sortedFields)
        fields.append(request.target)
        fields.append(request.options.usesEmbeddedThumbnail)
        fields.append(request.options.byteLimit ?? -1)
        for step in request.processing { fields.append(step) }
        return DiskKey(fields).fileName
    }

    /// Where it stands which results there are.
    var results: DiskKey {
        var fields = KeyFields("results/1")
        fields.append(fileName)
        return DiskKey(fields)
    }

    func variant(_ line: String) -> DiskKey {
        var fields = KeyFields("variant/1")
        fields.append(fileName)
        fields.append(line)
        return DiskKey(fields)
    }
}

/// What stands under the primary name of an address that answers differently to different requests: by which fields, and
/// which variants are stored. It is an entry without bytes of its own, read, and so kept recent, with every variant.
struct VariantList: Equatable, Sendable {
    /// More variants of one address push the oldest out.
    static let limit = 16
    private static let namesField = "varies-by", linesField = "variants"

    let names: [String]
    /// The oldest first.
    private(set) var lines: [String]

    init(names: [String]) {
        self.names = names
        lines = []
    }

    init?(_ metadata: EntryMetadata) {
        guard let names = metadata[Self.namesField], let lines = metadata[Self.linesField] else { return nil }
        self.names = names.split(separator: ",").map(String.init)
        self.lines = lines.split(separator: "\n").map(String.init)
    }

    /// What the list is kept as, beside the request's address.
    func metadata(of request: ImageRequest) -> EntryMetadata {
        var metadata = EntryMetadata(StoredAddress.fields(of: request))
        metadata[Self.namesField] = names.joined(separator: ",")
        metadata[Self.linesField] = lines.joined(separator: "\n")
        return metadata
    }

    /// What is to be done about the list that is stored when a variant is.
    struct Change: Equatable, Sendable {
        /// The variants that have to go: those told apart by other fields, or the oldest of too many.
        var outdated: [String]
        /// What takes the list's place; nil where it is right as it is.
        var list: VariantList?
    }

    /// - Parameters:
    ///   - stored: the list that is there.
    ///   - names: the fields that the response tells variants apart by; none where it has no variants.
    ///   - line: what the request says in them.
    ///   - limit: how many there may be.
    static func change(
        of stored: VariantList?, adding line: String?, names: [String], limit: Int = Self.limit
    ) -> Change {
        let list = stored?.names == names ? stored : nil
        // What is added takes the place of an older one of its name.
        var outdated = list == nil ? (stored?.lines ?? []).filter { $0 != line } : []
        guard let line, list?.lines.contains(line) != true else { return Change(outdated: outdated) }
        var changed = list ?? VariantList(names: names)
        changed.lines.append(line)
        if changed.lines.count > limit { outdated.append(changed.lines.removeFirst()) }
        return Change(outdated: outdated, list: changed)
    }

    /// One line for what a request says.
    static func line(_ varying: [String: String]) -> String {
        varying.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }.joined(separator: ";")
    }
}
