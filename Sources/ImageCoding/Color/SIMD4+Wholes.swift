extension SIMD4<Float> {
    /// Rounded to the nearest whole numbers; what lies outside 0…`highest`, at most four million, goes to the nearer end.
    ///
    /// Adding 2²³ leaves the whole number in a float's lowest bits. The standard library's own conversion of a vector calls
    /// a function of the C library for every lane, which takes twenty times longer. A lane that is no number comes out as
    /// any number below 2²³.
    @inline(__always)
    func wholes(to highest: Float) -> SIMD4<UInt32> {
        let top = SIMD4(repeating: highest)
        let clamped = replacing(with: 0, where: self .< 0).replacing(with: top, where: self .> top)
        return unsafeBitCast(clamped + 8_388_608, to: SIMD4<UInt32>.self) & 0x7F_FFFF
    }
}
