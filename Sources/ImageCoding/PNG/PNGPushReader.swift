#if PNG
import CPNGShim
import Pixels

/// A run of libpng over bytes that come in portions.
final class PNGPushReader {
    /// One row: its samples, its number within its pass, and the pass, from 0.
    typealias RowTaker = (_ row: UnsafeRawPointer, _ number: Int, _ pass: Int) throws -> Void

    private let handle: OpaquePointer

    /// What the C side calls back into, for the length of one call.
    private struct Call {
        let take: RowTaker
        var failure: (any Error)?
    }

    init(layout: SampleLayout, limits: DecodeLimits) throws(CodingError) {
        let wanted = cpng_layout(
            keeps_16: layout.component == .uint16 ? 1 : 0, keeps_gray: layout.isGray ? 1 : 0)
        guard let handle = cpng_push_create(PNGReader.longestSide(limits), wanted) else {
            throw CodingError(.outOfMemory, "There is no memory to open the PNG.", format: .png)
        }
        self.handle = handle
    }

    deinit { cpng_push_destroy(handle) }

    /// Known when the name of the first chunk of pixels was fed.
    var header: cpng_header? { cpng_push_header(handle)?.pointee }

    /// Takes the file's next bytes.
    ///
    /// - Parameter take: called for each row that they complete; what it throws ends the run.
    func feed(_ bytes: UnsafeRawBufferPointer, take: RowTaker) throws {
        try withoutActuallyEscaping(take) { take in
            var call = Call(take: take)
            let status = withUnsafeMutablePointer(to: &call) { call in
                cpng_push_feed(handle, bytes.baseAddress, bytes.count, Self.takeRow, call)
            }
            if let failure = call.failure { throw failure }
            try PNGReader.check(status, cpng_push_message(handle))
        }
    }

    private static let takeRow: cpng_row_taker = { context, row, number, pass in
        guard let call = context?.assumingMemoryBound(to: Call.self), let row else { return 0 }
        do {
            try call.pointee.take(row, Int(number), Int(pass))
            return 1
        } catch {
            call.pointee.failure = error
            return 0
        }
    }
}
#endif
