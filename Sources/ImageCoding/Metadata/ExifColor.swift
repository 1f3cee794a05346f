/// The one thing that EXIF says of colours and that browsers and cameras agree on: a picture in Adobe RGB without a profile.
///
/// Cameras name it by the interoperability index R03, the optional colour space of DCF 2.0 (CIPA DC-009).
enum ExifColor {
    private static let exifDirectoryTag = 0x8769
    private static let interoperabilityDirectoryTag = 0xA005
    private static let indexTag = 0x0001

    static func read(fromTIFF bytes: UnsafeRawBufferPointer) -> ColorDescription? {
        guard let tiff = TIFFReader(bytes), let first = tiff.firstDirectory,
            let exif = tiff.value(of: exifDirectoryTag, in: first),
            let directory = tiff.value(of: interoperabilityDirectoryTag, in: exif),
            let entry = tiff.entry(indexTag, in: directory), BoundedBytes(bytes).has("R03", at: entry + 8)
        else { return nil }
        return .calibrated(ColorCalibration(gamma: 563.0 / 256, chromaticities: .adobeRGB))
    }
}
