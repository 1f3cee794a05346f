import ByteBuffers

/// The memory behind one or more bitmaps.
// Unchecked: `base` is fixed; the bytes are written only by a `Bitmap` that holds the sole reference (copy on write).
final class PixelStorage: @unchecked Sendable {
    enum Owner {
        case pool(RegionPool, RawRegion)
        case outside(release: @Sendable () -> Void)
    }

    let base: UnsafeMutableRawPointer
    private let owner: Owner

    init(byteCount: Int, pool: RegionPool) throws(AllocationError) {
        let region = try pool.allocate(byteCount: byteCount)
        base = region.base
        owner = .pool(pool, region)
    }

    init(wrapping base: UnsafeMutableRawPointer, release: @escaping @Sendable () -> Void) {
        self.base = base
        owner = .outside(release: release)
    }

    /// Memory of an outside owner is never written to: a change makes a copy first.
    var isWritable: Bool {
        if case .pool = owner { true } else { false }
    }

    deinit {
        switch owner {
        case .pool(let pool, let region): pool.release(region)
        case .outside(let release): release()
        }
    }
}
