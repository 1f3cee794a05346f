import ImageCaching

/// Which work is under way and who waits for it: the state machine behind the pipeline.
///
/// There are two kinds of work. *Byte work* gets the original bytes of one URL. *Picture work* makes one picture of one
/// size from them. Tasks wait for picture work, picture work waits for byte work, and each is shared by all who need the
/// same thing:
///
///     task ─┐
///     task ─┴─▶ picture 400 px ─┐
///     task ───▶ picture 100 px ─┴─▶ bytes of the URL
///
/// Work has the highest priority of those who wait for it, and is cancelled when the last of them leaves. Bytes stay
/// until the last picture that needs them is made.
///
/// A value that does nothing by itself. Every event returns ``Effects``; the pipeline holds the lock around the value and
/// carries the effects out when the lock is free again.
struct WorkGraph<Waiter: Hashable & Sendable, Loaded: Sendable> {
    /// What names a piece of work. Requests that read different caches do not share work.
    struct Key: Hashable, Sendable {
        let digest: KeyDigest
        let policy: UInt8
    }

    /// What an event asks the pipeline to do, after the lock.
    struct Effects {
        /// Get bytes, on behalf of any of the tasks that need them.
        var startBytes: (key: Key, token: WorkToken, waiter: Waiter)?
        /// Make pictures from bytes that are there.
        var startPictures: [(key: Key, token: WorkToken, waiter: Waiter, bytes: Loaded)] = []
        /// Nobody needs these any more.
        var cancelled: [WorkToken] = []
        /// The most urgent waiter of these has changed.
        var moved: [(token: WorkToken, priority: ImagePriority)] = []
        /// These get the event's result.
        var delivered: [Waiter] = []
    }

    private struct PictureWork {
        let token: WorkToken
        let bytes: Key
        var waiters: SmallMap<Waiter, ImagePriority>
        var priority: ImagePriority
    }

    private struct ByteWork {
        let token: WorkToken
        var pictures: SmallMap<Key, Void>
        var priority: ImagePriority
        /// `nil` while they are on the way.
        var loaded: Loaded?
    }

    private var pictures: [Key: PictureWork] = [:]
    private var bytes: [Key: ByteWork] = [:]

    /// How much work is under way.
    var counts: (pictures: Int, bytes: Int) { (pictures.count, bytes.count) }

    func hasPicture(_ key: Key) -> Bool { pictures[key] != nil }

    // MARK: What tasks do

    /// A task needs a picture. It joins work that is under way or starts what is missing.
    mutating func add(_ waiter: Waiter, picture key: Key, bytes byteKey: Key, priority: ImagePriority) -> Effects {
        var effects = Effects()
        if let running = pictures[key]?.priority {
            pictures[key]?.waiters[waiter] = priority
            if priority > running { refreshPriority(ofPicture: key, &effects) }
            return effects
        }
        let token = WorkToken(priority: priority)
        pictures[key] = PictureWork(
            token: token, bytes: byteKey, waiters: SmallMap(waiter, priority), priority: priority)
        guard bytes[byteKey] != nil else {
            let byteToken = WorkToken(priority: priority)
            bytes[byteKey] = ByteWork(token: byteToken, pictures: SmallMap(key, ()), priority: priority)
            effects.startBytes = (byteKey, byteToken, waiter)
            return effects
        }
        bytes[byteKey]?.pictures[key] = ()
        if let loaded = bytes[byteKey]?.loaded { effects.startPictures = [(key, token, waiter, loaded)] }
        refreshPriority(ofBytes: byteKey, &effects)
        return effects
    }

    /// A task leaves. The last one takes the work with it.
    mutating func cancel(_ waiter: Waiter, picture key: Key) -> Effects {
        var effects = Effects()
        guard pictures[key]?.waiters[waiter] != nil else { return effects }
        pictures[key]?.waiters[waiter] = nil
        guard let work = pictures[key], work.waiters.isEmpty else {
            refreshPriority(ofPicture: key, &effects)
            return effects
        }
        pictures[key] = nil
        effects.cancelled.append(work.token)
        leave(work.bytes, picture: key, &effects)
        return effects
    }

    /// A task has become more or less urgent.
    mutating func setPriority(_ priority: ImagePriority, of waiter: Waiter, picture key: Key) -> Effects {
        var effects = Effects()
        guard pictures[key]?.waiters[waiter] != nil else { return effects }
        pictures[key]?.waiters[waiter] = priority
        refreshPriority(ofPicture: key, &effects)
        return effects
    }

    // MARK: What work does

    /// The tasks that wait for bytes, for reporting progress.
    func waiters(forBytes key: Key, token: WorkToken) -> [Waiter] {
        guard let work = bytes[key], work.token === token else { return [] }
        return work.pictures.keys.flatMap { pictures[$0]?.waiters.keys ?? [] }
    }

    /// Bytes have come: every picture that needs them starts.
    mutating func bytesLoaded(_ loaded: Loaded, key: Key, token: WorkToken) -> Effects {
        var effects = Effects()
        guard let work = bytes[key], work.token === token, work.loaded == nil else { return effects }
        bytes[key]?.loaded = loaded
        for picture in work.pictures.keys {
            guard let needed = pictures[picture], let waiter = needed.waiters.anyKey else { continue }
            effects.startPictures.append((picture, needed.token, waiter, loaded))
        }
        return effects
    }

    /// Bytes will not come: everybody who needs them gets the error.
    mutating func bytesFailed(key: Key, token: WorkToken) -> Effects {
        var effects = Effects()
        guard let work = bytes[key], work.token === token else { return effects }
        bytes[key] = nil
        for picture in work.pictures.keys {
            guard let removed = pictures.removeValue(forKey: picture) else { continue }
            effects.delivered += removed.waiters.keys
        }
        return effects
    }

    /// A picture is made, or cannot be made: everybody who waits for it gets the result.
    mutating func pictureFinished(key: Key, token: WorkToken) -> Effects {
        var effects = Effects()
        guard let work = pictures[key], work.token === token else { return effects }
        pictures[key] = nil
        effects.delivered = work.waiters.keys
        leave(work.bytes, picture: key, &effects)
        return effects
    }

    // MARK: Rules

    /// A picture no longer needs its bytes.
    private mutating func leave(_ key: Key, picture: Key, _ effects: inout Effects) {
        bytes[key]?.pictures[picture] = nil
        guard let work = bytes[key] else { return }
        if work.pictures.isEmpty {
            bytes[key] = nil
            if work.loaded == nil { effects.cancelled.append(work.token) }
        } else {
            refreshPriority(ofBytes: key, &effects)
        }
    }

    private mutating func refreshPriority(ofPicture key: Key, _ effects: inout Effects) {
        guard let work = pictures[key], let highest = work.waiters.max({ $1 }) else { return }
        if highest != work.priority {
            pictures[key]?.priority = highest
            effects.moved.append((work.token, highest))
        }
        refreshPriority(ofBytes: work.bytes, &effects)
    }

    private mutating func refreshPriority(ofBytes key: Key, _ effects: inout Effects) {
        guard let work = bytes[key], let highest = work.pictures.max({ picture, _ in pictures[picture]?.priority }),
            highest != work.priority
        else { return }
        bytes[key]?.priority = highest
        effects.moved.append((work.token, highest))
    }
}
