#if JPEG
import Pixels

extension JPEGHeader {
    /// The file's profile; without one what EXIF says. JPEG itself names no colours.
    func color(in bytes: UnsafeRawBufferPointer) -> ColorDescription {
        if let profile = applications.profile(in: bytes) { return ColorDescription.icc(profile).simplified }
        let exif = applications.exif.map { UnsafeRawBufferPointer(rebasing: bytes[$0]) }
        return exif.flatMap(ExifColor.read(fromTIFF:)) ?? .unspecified
    }

    /// How the library is to lay pixels out, so that a profile for grey or for inks meets what it describes.
    func layout(for color: ColorDescription) -> SampleLayout {
        if components.count == 4 { return SampleLayout(channels: .invertedInks, component: .uint8) }
        if components.count == 1, case .icc(let profile) = color, profile.space == .gray {
            return SampleLayout(channels: .gray, component: .uint8)
        }
        return .rgbx8
    }
}
#endif
