import ByteBuffers

/// Uninitialised working memory that goes back to its pool with its owner.
///
/// Unlike an array, its size may come from outside: too much of it is an error and not a trap.
struct ScratchBuffer<Element: BitwiseCopyable>: ~Copyable {
    let base: UnsafeMutablePointer<Element>
    let count: Int
    private let region: RawRegion

    /// - Throws: ``ProcessingError/Code/outOfMemory``.
    init(count: Int) throws(ProcessingError) {
        let (byteCount, overflow) = count.multipliedReportingOverflow(by: MemoryLayout<Element>.stride)
        guard count >= 0, !overflow else { throw .outOfMemory(byteCount: .max) }
        do throws(AllocationError) {
            region = try RegionPool.shared.allocate(byteCount: byteCount)
        } catch {
            throw .outOfMemory(byteCount: error.byteCount)
        }
        base = region.base.bindMemory(to: Element.self, capacity: count)
        self.count = count
    }

    deinit { RegionPool.shared.release(region) }
}
