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

        /// The digest is mixed already; the policy only tells the few apart that share it.
        func hash(into hasher: inout Hasher) { hasher.combine(digest) }
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
        var moved: [WorkToken] = []
        /// These get the event's result.
        var delivered: [Waiter] = []
    }

    private struct PictureWork {
        /// `nil` until the bytes are there: before that there is nothing to stop or to move.
        var token: WorkToken?
        let bytes: Key
        var waiters: SmallMap<Waiter, ImagePriority>
        var tally: PriorityTally
        /// The highest of the waiters', as the token and the byte work know it.
        var priority: ImagePriority
    }

    private struct ByteWork {
        let token: WorkToken
        /// With the priority that each has in the tally.
        var pictures: SmallMap<Key, ImagePriority>
        var tally: PriorityTally
        /// The highest of the pictures', as the token knows it.
        var priority: ImagePriority
        /// `nil` while they are on the way.
        var loaded: Loaded?
    }

    private var pictures: [Key: PictureWork] = [:]
    private var bytes: [Key: ByteWork] = [:]

    /// How much work is under way.
    var counts: (pictures: Int, bytes: Int) { (pictures.count, bytes.count) }

    // MARK: What tasks do

    /// A task joins the work on its picture.
    ///
    /// - Returns: `nil` when there is no such work.
    mutating func join(_ waiter: Waiter, picture key: Key, priority: ImagePriority) -> Effects? {
        guard let index = pictures.index(forKey: key) else { return nil }
        pictures.values[index].waiters[waiter] = priority
        pictures.values[index].tally.add(priority)
        var effects = Effects()
        if priority > pictures.values[index].priority { refreshPriority(ofPicture: key, &effects) }
        return effects
    }

    /// A task starts the work on a picture that nobody works on, and on its bytes if they are missing.
    mutating func start(_ waiter: Waiter, picture key: Key, bytes byteKey: Key, priority: ImagePriority) -> Effects {
        var effects = Effects()
        pictures[key] = PictureWork(
            token: nil, bytes: byteKey, waiters: SmallMap(waiter, priority), tally: PriorityTally(priority),
            priority: priority)
        guard let index = bytes.index(forKey: byteKey) else {
            let byteToken = WorkToken(priority: priority)
            bytes[byteKey] = ByteWork(
                token: byteToken, pictures: SmallMap(key, priority), tally: PriorityTally(priority), priority: priority)
            effects.startBytes = (byteKey, byteToken, waiter)
            return effects
        }
        bytes.values[index].pictures[key] = priority
        bytes.values[index].tally.add(priority)
        if let loaded = bytes.values[index].loaded { startPicture(key, loaded, &effects) }
        refreshPriority(ofBytes: byteKey, &effects)
        return effects
    }

    /// A task leaves. The last one takes the work with it.
    mutating func cancel(_ waiter: Waiter, picture key: Key) -> Effects {
        var effects = Effects()
        guard let index = pictures.index(forKey: key), let priority = pictures.values[index].waiters[waiter] else {
            return effects
        }
        pictures.values[index].waiters[waiter] = nil
        pictures.values[index].tally.remove(priority)
        guard pictures.values[index].waiters.isEmpty else {
            refreshPriority(ofPicture: key, &effects)
            return effects
        }
        let work = pictures.remove(at: index).value
        if let token = work.token { effects.cancelled.append(token) }
        leave(work.bytes, picture: key, &effects)
        return effects
    }

    /// A task has become more or less urgent.
    mutating func setPriority(_ priority: ImagePriority, of waiter: Waiter, picture key: Key) -> Effects {
        var effects = Effects()
        guard let index = pictures.index(forKey: key), let old = pictures.values[index].waiters[waiter] else {
            return effects
        }
        pictures.values[index].waiters[waiter] = priority
        pictures.values[index].tally.remove(old)
        pictures.values[index].tally.add(priority)
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
        for picture in work.pictures.keys { startPicture(picture, loaded, &effects) }
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

    /// A picture has its bytes.
    private mutating func startPicture(_ key: Key, _ loaded: Loaded, _ effects: inout Effects) {
        guard let index = pictures.index(forKey: key), let waiter = pictures.values[index].waiters.anyKey else {
            return
        }
        let token = WorkToken(priority: pictures.values[index].priority)
        pictures.values[index].token = token
        effects.startPictures.append((key, token, waiter, loaded))
    }

    /// A picture no longer needs its bytes.
    private mutating func leave(_ key: Key, picture: Key, _ effects: inout Effects) {
        guard let index = bytes.index(forKey: key), let priority = bytes.values[index].pictures[picture] else { return }
        bytes.values[index].pictures[picture] = nil
        bytes.values[index].tally.remove(priority)
        if bytes.values[index].pictures.isEmpty {
            let work = bytes.remove(at: index).value
            if work.loaded == nil { effects.cancelled.append(work.token) }
        } else {
            refreshPriority(ofBytes: key, &effects)
        }
    }

    /// Passes the highest priority of a picture's waiters on, if it has changed.
    private mutating func refreshPriority(ofPicture key: Key, _ effects: inout Effects) {
        guard let index = pictures.index(forKey: key), let highest = pictures.values[index].tally.highest,
            highest != pictures.values[index].priority
        else { return }
        pictures.values[index].priority = highest
        if let token = pictures.values[index].token { move(token, to: highest, &effects) }
        let byteKey = pictures.values[index].bytes
        guard let work = bytes.index(forKey: byteKey), let old = bytes.values[work].pictures[key] else { return }
        bytes.values[work].pictures[key] = highest
        bytes.values[work].tally.remove(old)
        bytes.values[work].tally.add(highest)
        refreshPriority(ofBytes: byteKey, &effects)
    }

    /// Passes the highest priority of those who need the bytes on, if it has changed.
    private mutating func refreshPriority(ofBytes key: Key, _ effects: inout Effects) {
        guard let index = bytes.index(forKey: key), let highest = bytes.values[index].tally.highest,
            highest != bytes.values[index].priority
        else { return }
        bytes.values[index].priority = highest
        move(bytes.values[index].token, to: highest, &effects)
    }

    private func move(_ token: WorkToken, to priority: ImagePriority, _ effects: inout Effects) {
        token.setPriority(priority)
        effects.moved.append(token)
    }
}
