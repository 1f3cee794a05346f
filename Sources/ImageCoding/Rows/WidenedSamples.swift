extension SampleRows {
    /// Spreads samples of 9 to 15 bits, one in 16, over all of the 16 in place: the highest bits are repeated below.
    static func widen(_ samples: UnsafeMutableRawPointer, bits: Int, count: Int) {
        guard (9...15).contains(bits) else { return }
        let highest = UInt16(truncatingIfNeeded: (1 << bits) - 1)
        for offset in stride(from: 0, to: count * 2, by: 2) {
            let value = min(samples.loadUnaligned(fromByteOffset: offset, as: UInt16.self), highest)
            let wide = value << UInt16(16 - bits) | value >> UInt16(2 * bits - 16)
            samples.storeBytes(of: wide, toByteOffset: offset, as: UInt16.self)
        }
    }
}
