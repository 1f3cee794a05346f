import ImageCoding
import Pixels
import Testing

/// What every decoder has to stand: any bytes end in a picture or a typed error.
enum Damage {
    /// Small, so that a flipped size costs a test nothing.
    static let limits = DecodeLimits(maxPixels: 1 << 18, maxSide: 4_096)

    /// Cuts a file at each thirty-second of its length.
    ///
    /// - Parameter allowsPart: a good part of a picture may come, where the format's rule is to show it. Else a picture is
    ///   all of it: nobody needs what stands behind its pixels.
    static func truncate(_ path: String, with decoder: any ImageDecoder, allowsPart: Bool) throws {
        let bytes = try Fixture.bytes(path)
        let whole = try decoder.decode(bytes)
        for part in 1..<32 {
            let count = bytes.count * part / 32
            guard case .success(let rows) = outcome(Array(bytes[..<count]), decoder), !allowsPart else { continue }
            #expect(rows == whole, "\(count) of \(bytes.count)")
            #expect(part >= 20, "\(count) of \(bytes.count)")
        }
    }

    /// Flips each byte of the first kilobyte, all of its bits and, where decoding is cheap, one of them.
    static func flip(_ path: String, with decoder: any ImageDecoder, isCheap: Bool) throws {
        let bytes = try Fixture.bytes(path)
        for position in 0..<min(bytes.count, 1_024) {
            for mask: UInt8 in isCheap ? [0xFF, 1 << UInt8(position % 8)] : [0xFF] {
                var damaged = bytes
                damaged[position] ^= mask
                if case .success(let rows) = outcome(damaged, decoder) {
                    #expect(rows.pixels.count == rows.size.width * rows.size.height * 4, "at \(position)")
                }
            }
        }
    }

    /// A limit below the picture's size is told before rows are announced.
    static func refuse(_ path: String, with decoder: any ImageDecoder) throws {
        let bytes = try Fixture.bytes(path)
        let size = try decoder.info(bytes).storedSize
        for (limits, code) in [
            (DecodeLimits(maxPixels: size.width * size.height - 1), CodingError.Code.tooManyPixels),
            (DecodeLimits(maxSide: max(size.width, size.height) - 1), .sideTooLong),
            (DecodeLimits(maxInputBytes: bytes.count - 1), .tooManyBytes),
        ] {
            let error = #expect(throws: CodingError.self) {
                try withExactCopy(of: bytes) {
                    try decoder.decode($0, options: DecodeOptions(limits: limits), into: ForbiddenSink())
                }
            }
            #expect(error?.code == code)
        }
    }

    /// Cuts a file at each thirty-second of its length while it comes in portions: what there is may be shown, and that it
    /// is not all there is no error.
    static func truncateParts(_ path: String) throws {
        let bytes = try Fixture.bytes(path)
        for part in 1..<32 {
            let cut = Array(bytes[..<(bytes.count * part / 32)])
            for portions in [1, 5] {
                let viewing = Viewing(cut, step: max(1, cut.count / portions), limits: limits)
                #expect(viewing.failure == nil, "\(cut.count) of \(bytes.count)")
            }
        }
    }

    /// Flips each byte of the first kilobyte of a file that comes in portions: previews, a typed error, or nothing.
    static func flipParts(_ path: String, isCheap: Bool = true) throws {
        let bytes = try Fixture.bytes(path)
        for position in 0..<min(bytes.count, 1_024) {
            for mask: UInt8 in isCheap ? [0xFF, 1 << UInt8(position % 8)] : [0xFF] {
                var damaged = bytes
                damaged[position] ^= mask
                let viewing = Viewing(damaged, step: max(1, bytes.count / 4), limits: limits)
                #expect(viewing.failure is CodingError?, "at \(position)")
                for look in viewing.looks {
                    #expect(look.rows.pixels.count == look.rows.size.width * look.rows.size.height * 4)
                }
            }
        }
    }

    private static func outcome(_ bytes: [UInt8], _ decoder: any ImageDecoder) -> Result<DecodedRows, CodingError> {
        withExactCopy(of: bytes) { bytes in
            _ = try? decoder.info(of: bytes)
            let sink = BitmapSink()
            do {
                try decoder.decode(bytes, options: DecodeOptions(limits: limits), into: sink)
                return .success(try #require(sink.takeBitmap()).rows)
            } catch let error as CodingError {
                return .failure(error)
            } catch {
                Issue.record("an error that is not typed: \(error)")
                return .failure(CodingError(.malformed, "\(error)"))
            }
        }
    }
}

/// The largest and the mean difference of two pictures' bytes.
func difference(_ left: [UInt8], _ right: [UInt8]) -> (largest: Int, mean: Double) {
    guard left.count == right.count, !left.isEmpty else { return (256, 256) }
    let differences = zip(left, right).map { abs(Int($0) - Int($1)) }
    return (differences.max() ?? 0, Double(differences.reduce(0, +)) / Double(differences.count))
}
