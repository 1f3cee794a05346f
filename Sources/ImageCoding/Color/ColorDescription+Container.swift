import ByteBuffers

extension ColorDescription {
    /// A profile that a library lends; `unspecified` when it is none or there is no memory for it.
    init(profile bytes: UnsafeRawBufferPointer) {
        guard bytes.count <= ICCProfile.maximumByteCount, let copy = try? Bytes(copying: bytes),
            let profile = ICCProfile(copy)
        else {
            self = .unspecified
            return
        }
        self = ColorDescription.icc(profile).simplified
    }

    /// The numbers of an `nclx` box or of a codestream; `unspecified` when neither primaries nor transfer are said.
    init(primaries: Int, transfer: Int, matrix: Int, isFullRange: Bool) {
        let unspecified: UInt8 = 2
        let codes = ColorCodePoints(
            primaries: UInt8(exactly: primaries) ?? unspecified, transfer: UInt8(exactly: transfer) ?? unspecified,
            matrix: UInt8(exactly: matrix) ?? unspecified, isFullRange: isFullRange)
        let isSaid = codes.primaries != unspecified || codes.transfer != unspecified
        self = isSaid ? ColorDescription.codePoints(codes).simplified : .unspecified
    }
}
