import ByteBuffers
import CXXHash
import Synchronization

/// An entry that is being written in pieces, into a temporary file.
///
/// It becomes visible, whole, by ``commit(metadata:)``. Until then, and when it is abandoned or released, nothing is
/// left of it.
public final class DiskCacheWriter: Sendable {
    private let key: DiskKey
    private let folder: CacheFolder
    private let cache: DiskCache
    private let state: Mutex<State>

    private struct State: ~Copyable {
        var file: Int32
        let name: String
        let checksum: RunningChecksum
        var payloadCount = 0
        var isOpen = true
    }

    init(_ key: DiskKey, folder: CacheFolder, cache: DiskCache) throws(CacheError) {
        self.key = key
        self.folder = folder
        self.cache = cache
        guard let checksum = RunningChecksum() else {
            throw CacheError(.outOfMemory, "There is no memory for a checksum.")
        }
        do {
            let (name, file) = try folder.makeTemporary()
            state = Mutex(State(file: file, name: name, checksum: checksum))
        } catch {
            throw CacheError(error, "make a temporary file")
        }
    }

    deinit { abandon() }

    /// Appends a piece of the payload.
    ///
    /// - Throws: ``CacheError``. Then the entry is abandoned.
    public func append(_ piece: UnsafeRawBufferPointer) throws(CacheError) {
        try attempt { state throws(CacheError) in
            let limit = min(cache.configuration.maximumEntryBytes, cache.configuration.lowWater)
            guard piece.count <= limit - state.payloadCount else {
                throw CacheError(.tooLarge, "The entry is larger than \(limit) bytes, the most that is stored.")
            }
            try write(piece, &state)
            state.payloadCount += piece.count
        }
    }

    /// Completes the entry and puts it in the place of any other under its key.
    ///
    /// - Throws: ``CacheError``. Then nothing of the entry is left, and what was under the key before still is.
    public func commit(metadata: EntryMetadata = [:]) throws(CacheError) {
        try commit(metadata: metadata, storedAt: cache.wallClock())
    }

    func commit(metadata: EntryMetadata, storedAt: Int64) throws(CacheError) {
        try attempt { state throws(CacheError) in
            let now = cache.wallClock()
            let trailer = EntryTrailer(
                payloadCount: state.payloadCount, storedAt: storedAt, key: key.encoded, metadata: metadata)
            let bytes = trailer.encoded()
            guard bytes.count <= EntryTrailer.sizeLimit else {
                throw CacheError(.tooLarge, "The key and the metadata have more than \(EntryTrailer.sizeLimit) bytes.")
            }
            try write(bytes, &state)
            try write(withUnsafeBytes(of: state.checksum.value.littleEndian) { Array($0) }, &state)
            do throws(SystemError) {
                try cache.fileSystem.touch(state.file, now)
                let file = state.file
                state.file = -1
                try cache.fileSystem.close(file)
            } catch {
                throw CacheError(error, "finish an entry")
            }
            let size = state.payloadCount + bytes.count + EntryTrailer.checksumSize
            try cache.commit(state.name, size: size, key, in: folder)
            state.isOpen = false
        }
    }

    /// Gives the entry up. Does nothing after a commit.
    public func abandon() {
        state.withLock { abandon(&$0) }
    }

    private func abandon(_ state: inout State) {
        guard state.isOpen else { return }
        state.isOpen = false
        if state.file >= 0 { cache.fileSystem.discard(state.file) }
        state.file = -1
        try? cache.fileSystem.remove(state.name, in: folder.temporary)
    }

    private func attempt(_ body: (inout State) throws(CacheError) -> Void) throws(CacheError) {
        do throws(CacheError) {
            try state.withLock { state throws(CacheError) in
                guard state.isOpen else { throw CacheError(.inputOutput, "The entry was committed or abandoned.") }
                do throws(CacheError) {
                    try body(&state)
                } catch {
                    abandon(&state)
                    throw error
                }
            }
        } catch {
            if error.systemCode != nil, folder.isGone { cache.forget(folder) }
            throw cache.report(error)
        }
    }

    private func write(_ bytes: [UInt8], _ state: inout State) throws(CacheError) {
        try Bytes(bytes).withUnsafeBytes { bytes throws(CacheError) in try write(bytes, &state) }
    }

    private func write(_ bytes: UnsafeRawBufferPointer, _ state: inout State) throws(CacheError) {
        state.checksum.update(bytes)
        do {
            try cache.fileSystem.writeAll(state.file, bytes)
        } catch {
            throw CacheError(error, "write an entry")
        }
    }
}

/// XXH3-64 of bytes that come in pieces.
private struct RunningChecksum: ~Copyable {
    private let state: UnsafeMutableRawPointer

    init?() {
        guard let state = xxh3_64_create() else { return nil }
        self.state = state
    }

    deinit { xxh3_64_free(state) }

    func update(_ bytes: UnsafeRawBufferPointer) { xxh3_64_update(state, bytes.baseAddress, bytes.count) }

    var value: UInt64 { xxh3_64_digest(state) }
}
