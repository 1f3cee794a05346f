#if TIFF
public import ByteBuffers
import Pixels

extension TIFFDecoder: AnimationDecoder {
    public var animatedFormats: [ImageFormat] { [.tiff] }

    /// Lists the pages; one that cannot be found ends the list.
    ///
    /// The canvas is the first page as it is seen. Each other page lies in its middle, upright, at its own size, or smaller
    /// where it does not fit; what it leaves free is transparent.
    public func frames(of bytes: Bytes, options: AnimationOptions) throws(CodingError) -> any FrameSource {
        let list = try bytes.withUnsafeBytes { bytes throws(CodingError) in try TIFFPageList(bytes, options) }
        return PageSource(.tiff, pages: list.pages, isComplete: list.isComplete) { index, options, sink in
            try bytes.withUnsafeBytes { bytes in
                let page = try TIFFPage(
                    bytes, largestAllocation: Self.allocation(options.limits), offset: list.offsets[index])
                try decode(page, options: options, into: sink)
            }
        }
    }
}

/// What the directories of a TIFF say of its pages, and where these are.
private struct TIFFPageList {
    private(set) var pages: [PageSource.Page] = []
    private(set) var offsets: [UInt64] = []
    private(set) var isComplete = false

    init(_ bytes: UnsafeRawBufferPointer, _ options: AnimationOptions) throws(CodingError) {
        var page = try TIFFPage(bytes, largestAllocation: TIFFDecoder.allocation(options.limits))
        repeat {
            pages.append(
                PageSource.Page(size: page.size, orientation: page.orientation, hasAlpha: page.hasAlpha))
            offsets.append(page.offset)
            if options.isFirstFrameOnly {
                isComplete = true
                return
            }
            try options.limits.check(frames: pages.count, format: .tiff)
        } while advance(&page)
    }

    private mutating func advance(_ page: inout TIFFPage) -> Bool {
        do throws(CodingError) {
            let isThere = try page.advance()
            isComplete = !isThere
            return isThere
        } catch {
            return false
        }
    }
}
#endif
