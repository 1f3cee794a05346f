import ImageCaching
import ImageFetching

/// What names a piece of work: the digest of everything that its result depends on, and the terms on which caches are
/// asked for it. Requests on different terms do not share work.
struct WorkKey: Hashable, Sendable {
    let digest: KeyDigest
    let terms: WorkTerms

    /// The digest is mixed already; the terms only tell the few apart that share it.
    func hash(into hasher: inout Hasher) { hasher.combine(digest) }
}

/// On which terms work is done.
struct WorkTerms: Hashable, Sendable {
    let rule: FreshnessRule
    /// The accesses to the caches, and whether remembered failures are passed over, as bits.
    let bits: UInt8
}

/// The works that lead to what a task wants, from the source on: the original bytes, the picture that is decoded from
/// them, and every step of processing. Each takes the result of the one before.
struct WorkPath: Sendable {
    let source: WorkKey
    /// `nil` when the bytes themselves are wanted.
    let picture: WorkKey?
    let steps: [WorkKey]

    init(source: WorkKey, picture: WorkKey? = nil, steps: [WorkKey] = []) {
        self.source = source
        self.picture = picture
        self.steps = steps
    }

    var count: Int { picture == nil ? 1 : 2 + steps.count }

    subscript(depth: Int) -> WorkKey {
        depth == 0 ? source : depth == 1 ? picture ?? source : steps[depth - 2]
    }

    /// What the task waits for.
    var goal: WorkKey { steps.last ?? picture ?? source }
}
