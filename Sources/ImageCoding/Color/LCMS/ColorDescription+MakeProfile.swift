#if LCMS
import ByteBuffers
import CLCMS

extension ColorDescription {
    /// A profile for colours that are given by numbers; `nil` for PQ and HLG, or when lcms2 cannot make it.
    func makeProfile() -> Bytes? {
        guard let profile = openProfile() else { return nil }
        defer { cmsCloseProfile(profile) }
        var count: UInt32 = 0
        guard cmsSaveProfileToMem(profile, nil, &count) != 0, count > 0 else { return nil }
        let bytes = try? Bytes(capacity: Int(count)) { room in
            cmsSaveProfileToMem(profile, room.baseAddress, &count) != 0 ? Int(count) : 0
        }
        return bytes.flatMap { $0.isEmpty ? nil : $0 }
    }
}
#endif
