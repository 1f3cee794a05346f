import ImageCoding

/// Beginnings of files. Each character stands for one byte.
enum FormatSamples {
    static let pictures: [(text: String, format: ImageFormat)] = [
        ("\u{FF}\u{D8}\u{FF}\u{E0}\0\u{10}", .jpeg),
        ("GIF87a\u{1}\0\u{1}\0", .gif),
        ("GIF89a\u{1}\0\u{1}\0", .gif),
        ("RIFF\u{9}\0\0\0WEBP", .webp),
        ("RIFF\u{9}\0\0\0WEBPVP8 \u{1}\0\0\0", .webp),
        ("RIFF\u{9}\0\0\0WEBPVP8L\u{1}\0\0\0", .webp),
        ("RIFF\u{9}\0\0\0WEBPVP8X\u{A}\0\0\0\u{10}\0\0\0", .webp),
        ("RIFF\u{9}\0\0\0WEBPVP8X\u{A}\0\0\0\u{12}\0\0\0", .animatedWebP),
        ("II*\0\u{8}\0\0\0", .tiff),
        ("MM\0*\0\0\0\u{8}", .tiff),
        ("II+\0\u{8}\0\0\0", .tiff),
        ("MM\0+\0\u{8}\0\0", .tiff),
        ("BM\u{46}\0\0\0\0\0\0\0\u{36}\0\0\0\u{28}\0\0\0", .bmp),
        ("BM\u{46}\0\0\0\0\0\0\0\u{1A}\0\0\0\u{C}\0\0\0", .bmp),
        ("\0\0\u{1}\0\u{1}\0\u{10}\u{10}\0\0\u{1}\0\u{20}\0\u{C8}\0\0\0\u{16}\0\0\0", .ico),
        ("\0\0\u{1}\0\u{3}\0\u{10}\u{10}\0\0\u{1}\0\u{20}\0\u{C8}\0\0\0\u{36}\0\0\0", .ico),
        ("\0\0\u{2}\0\u{1}\0\u{20}\u{20}\0\0\u{3}\0\u{4}\0\u{C8}\0\0\0\u{16}\0\0\0", .cur),
        ("II*\0\u{10}\0\0\0CR\u{2}\0", .raw),
        ("II*\0\u{8}\0\0\0\u{1}\0\u{12}\u{C6}\u{1}\0\u{4}\0\0\0\u{1}\u{4}\0\0", .raw),
        ("MM\0*\0\0\0\u{8}\0\u{1}\u{1}\u{6}\0\u{3}\0\0\0\u{1}\u{80}\u{23}\0\0", .raw),
        ("FUJIFILMCCD-RAW 0201", .raw),
        ("IIU\0\u{18}\0\0\0", .raw),
        ("\0\0\0\u{18}ftypcrx \0\0\0\u{1}crx isom", .raw),
        ("\0\0\0\u{18}ftypheic\0\0\0\0mif1heic", .heic),
        ("\0\0\0\u{10}ftypheix\0\0\0\0", .heic),
        ("\0\0\0\u{14}ftyphevc\0\0\0\0msf1", .heic),
        ("\0\0\0\u{18}ftypmif1\0\0\0\0mif1heic", .heic),
        ("\0\0\0\u{18}ftypmif1\0\0\0\0avifmiaf", .avif),
        ("\0\0\0\u{14}ftypmif1\0\0\0\0miaf", .heif),
        ("\0\0\0\u{10}ftypmsf1\0\0\0\0", .heif),
        ("\0\0\0\u{18}ftypavif\0\0\0\0mif1heic", .avif),
        ("\0\0\0\u{14}ftypavis\0\0\0\0msf1", .avif),
        // A box up to the end of the file, and one with a 64-bit size.
        ("\0\0\0\0ftypavif\0\0\0\0", .avif),
        ("\0\0\0\u{1}ftyp\0\0\0\0\0\0\0\u{1C}heic\0\0\0\0", .heic),
        // The codec's name outside the box is not asked.
        ("\0\0\0\u{10}ftypmif1\0\0\0\0avif", .heif),
        ("\u{FF}\u{A}\u{FA}\u{1F}", .jpegXL),
        ("\0\0\0\u{C}JXL \u{D}\u{A}\u{87}\u{A}", .jpegXL),
        ("<svg xmlns='http://www.w3.org/2000/svg'/>", .svg),
        ("\u{EF}\u{BB}\u{BF} \n<?xml version='1.0'?><!-- <html> -->\n<!DOCTYPE svg [<!ENTITY a '>]'>]><s:svg>", .svg),
        ("<svg\n", .svg),
        ("%PDF-1.7\n", .pdf),
    ]

    /// What a careless look takes for a picture.
    static let impostors: [String] = [
        "", "\u{FF}", "\u{FF}\u{D8}", "\u{89}", "\u{FF}\u{D8}\u{FE}", "GIF88a", "GIF", "Great news",
        "Moved permanently", "If you see this", "BMW sells cars and motorcycles",
        "RIFF\u{9}\0\0\0WAVEfmt ", "RIFF\u{9}\0\0\0WEBPJUNK",
        "\0\0\0\u{18}ftypmp42\0\0\0\0isommp41", "\0\0\0\u{10}ftypqt  \0\0\0\0",
        "\0\0\0\u{8}ftypheic", "\0\0\u{1}\0",
        "\0\0\u{1}\0\0\0\u{10}\u{10}\0\0\u{1}\0\u{20}\0\u{C8}\0\0\0\u{16}\0\0\0",
        "\0\0\u{1}\0\u{2}\0\u{10}\u{10}\0\0\u{1}\0\u{20}\0\u{C8}\0\0\0\u{16}\0\0\0",
        "\0\0\u{1}\u{BA}\u{21}\0\u{1}\0",
        "<html><body><svg></svg></body></html>", "<!-- <svg> -->", "<?xml version='1.0'?>", "<svgx>", "<svg",
        "text <svg>", "{\"svg\": \"<svg>\"}", "<!DOCTYPE html><html>", " %PDF-1.7", "MM*\0", "\0\0\0\0\0\0\0\0\0\0\0\0",
        "<!--" + String(repeating: "x", count: 5_000) + "--><svg>",
    ]

    static func bytes(_ text: String) -> [UInt8] {
        text.unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) }
    }
}
