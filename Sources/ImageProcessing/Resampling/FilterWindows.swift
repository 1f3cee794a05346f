import CPixelKernels

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// For each kept output sample of one axis: which source samples make it, and with which weights.
///
/// Windows are cut at the picture's borders and their weights scaled so that they add up to one; both ends of all windows
/// only ever move forward.
struct FilterWindows: ~Copyable {
    private let windows: ScratchBuffer<cpk_window>
    private let storedWeights: ScratchBuffer<Float>
    var count: Int { windows.count }
    var base: UnsafePointer<cpk_window> { UnsafePointer(windows.base) }
    var weights: UnsafePointer<Float> { UnsafePointer(storedWeights.base) }

    subscript(index: Int) -> cpk_window { windows.base[index] }

    /// The first source sample that any window reads. Windows start counting here.
    let origin: Int

    /// All source samples that any window reads.
    var sourceRange: Range<Int> {
        guard count > 0 else { return origin..<origin }
        let last = self[count - 1]
        return origin..<origin + last.start + last.count
    }

    /// - Parameters:
    ///   - source: how many samples there are.
    ///   - extent: the length that they stand for, in samples; less than `source` when the last one is a short one.
    ///   - scaled: how many samples the whole extent becomes.
    ///   - kept: which of those are wanted, not empty.
    ///   - copies: how often each weight is stored.
    init(
        source: Int, extent: Double, scaled: Int, kept: Range<Int>, filter: ResampleFilter, copies: Int
    ) throws(ProcessingError) {
        let scale = extent / Double(scaled)
        let stretch = max(1, scale)
        // An axis that keeps its length keeps its samples, whatever the filter.
        let passes = extent == Double(scaled)
        let reach = passes ? 0.5 : filter.support * stretch
        let most = min(source, Int((reach * 2).rounded(.up)) + 2)
        let (slots, overflow) = kept.count.multipliedReportingOverflow(by: most * copies)
        guard !overflow else { throw .outOfMemory(byteCount: .max) }

        let line = try ScratchBuffer<Double>(count: most)
        let windows = try ScratchBuffer<cpk_window>(count: kept.count)
        let weights = try ScratchBuffer<Float>(count: slots)
        let origin = Self.span(around: kept.lowerBound, scale, reach, source).lowerBound

        var offset = 0
        for index in kept {
            let span = Self.span(around: index, scale, reach, source)
            let center = (Double(index) + 0.5) * scale
            var sum = 0.0
            for (place, sample) in span.enumerated() {
                let weight = passes ? 1 : filter.weight(at: (Double(sample) - center + 0.5) / stretch)
                line.base[place] = weight
                sum += weight
            }
            for place in 0..<span.count {
                let weight = Float(sum == 0 ? 1 / Double(span.count) : line.base[place] / sum)
                for copy in 0..<copies { weights.base[(offset + place) * copies + copy] = weight }
            }
            windows.base[index - kept.lowerBound] = cpk_window(
                start: span.lowerBound - origin, count: span.count, offset: offset)
            offset += span.count
        }
        self.windows = windows
        self.storedWeights = weights
        self.origin = origin
    }

    /// Windows of a Gaussian bell around every sample of an axis that keeps its length.
    ///
    /// The bell is cut where 5 in 10,000 of it are left out. What reaches over the ends counts for the outermost samples, as
    /// if those went on.
    init(gaussian sigma: Double, count: Int, copies: Int) throws(ProcessingError) {
        let reach = max(1, Int((sigma * 3.5).rounded(.up)))
        let bell = (-reach...reach).map { exp(-Double($0 * $0) / (2 * sigma * sigma)) }
        let sum = bell.reduce(0, +)
        let most = min(count, reach * 2 + 1)
        let (slots, overflow) = count.multipliedReportingOverflow(by: most * copies)
        guard !overflow else { throw .outOfMemory(byteCount: .max) }
        let line = try ScratchBuffer<Double>(count: most)
        let windows = try ScratchBuffer<cpk_window>(count: count)
        let weights = try ScratchBuffer<Float>(count: slots)
        for index in 0..<count {
            let span = max(0, index - reach)..<min(count, index + reach + 1)
            line.base.update(repeating: 0, count: span.count)
            for (place, weight) in bell.enumerated() {
                let sample = min(max(index + place - reach, 0), count - 1)
                line.base[sample - span.lowerBound] += weight / sum
            }
            let offset = index * most
            for place in 0..<span.count {
                for copy in 0..<copies { weights.base[(offset + place) * copies + copy] = Float(line.base[place]) }
            }
            windows.base[index] = cpk_window(start: span.lowerBound, count: span.count, offset: offset)
        }
        self.windows = windows
        self.storedWeights = weights
        origin = 0
    }

    /// The source samples whose centres lie within reach of an output sample's centre; at least one.
    private static func span(around index: Int, _ scale: Double, _ reach: Double, _ source: Int) -> Range<Int> {
        let center = (Double(index) + 0.5) * scale
        let first = min(max(0, Int(center - reach + 0.5)), source - 1)
        return first..<max(first + 1, min(source, Int(center + reach + 0.5)))
    }

    /// The most windows that are open at once while source samples come in pieces of at most `piece`.
    func openWindows(piece: Int) -> Int {
        var most = 1
        var end = 0
        for index in 0..<count {
            let limit = self[index].start + self[index].count + piece - 1
            while end < count, self[end].start < limit { end += 1 }
            most = max(most, end - index)
        }
        return most
    }
}
