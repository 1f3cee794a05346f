import ImageCaching
import ImageCoding
import ImageFetching
import ImageProcessing
import Pixels
import SystemThreads

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The identities of a request in memory, from the widest to the narrowest. ``DiskIdentity`` is the one on disk.
///
/// The fields are length-prefixed and versioned, so that no two different requests make the same ones.
struct RequestKeys: Hashable, Sendable {
    /// The identity of the original bytes: the address and everything that is sent for it.
    let bytes: KeyDigest
    /// The identity of the decoded picture: the bytes, the wanted size and the limits.
    let picture: KeyDigest
    /// The identities after each step of processing.
    let steps: [KeyDigest]

    /// The identity of the picture with its animation, where that is wanted.
    let moving: KeyDigest?

    /// The identity of what the request wants.
    var goal: KeyDigest { moving ?? still }

    /// The identity of the picture without an animation, which is all that there is of one that does not move.
    var still: KeyDigest { steps.last ?? picture }

    init(
        url: URL, headers: HTTPHeaders, options: RequestOptions, target: TargetSize?, limits: DecodeLimits,
        processing: [ProcessingStep]
    ) {
        var fields = KeyFields("bytes/1")
        fields.append(options.keyFilter.identity(of: url))
        fields.append(headers.sortedFields)
        fields.append(optional: options.hooks?.name)
        // Who calls a field secret must not get what came over a redirect that it was sent along to.
        for name in options.sensitiveHeaders.map({ $0.lowercased() }).sorted() { fields.append(name) }
        bytes = fields.digest

        fields.append("picture/1")
        fields.append(target)
        fields.append(limits)
        fields.append(Int(options.color.rawValue))
        fields.append(options.usesEmbeddedThumbnail)
        fields.append(options.byteLimit ?? -1)
        picture = fields.digest

        steps = processing.map { step in
            fields.append(step)
            return fields.digest
        }

        if options.animation.applies(to: processing) {
            fields.append("moving/1")
            moving = fields.digest
        } else {
            moving = nil
        }
    }
}

extension ImageRequest {
    /// The identity of the address alone: all that was ever made of it has the same, whatever was sent along.
    var addressDigest: KeyDigest {
        var fields = KeyFields("address/1")
        fields.append(options.keyFilter.identity(of: url))
        return fields.digest
    }

    /// The works that lead to the picture.
    var picturePath: WorkPath {
        let terms = terms
        // The steps are done to every frame, so they are part of the making of the picture.
        if let moving = keys.moving {
            return WorkPath(
                source: WorkKey(digest: keys.bytes, terms: terms), picture: WorkKey(digest: moving, terms: terms))
        }
        return WorkPath(
            source: WorkKey(digest: keys.bytes, terms: terms), picture: WorkKey(digest: keys.picture, terms: terms),
            steps: keys.steps.map { WorkKey(digest: $0, terms: terms) })
    }

    /// Looking on disk for the finished picture, in place of all the works that lead to it.
    var resultPath: WorkPath { WorkPath(source: pictureGoal) }

    var pictureGoal: WorkKey { WorkKey(digest: keys.goal, terms: terms) }

    var bytesGoal: WorkKey { WorkKey(digest: keys.bytes, terms: terms) }

    /// Reading the memory cache has been done before work starts; only writing it is part of the work.
    private var terms: WorkTerms {
        WorkTerms(
            rule: caching.rule,
            bits: caching.disk.rawValue | caching.memory.intersection(.write).rawValue << 2
                | (options.ignoresFailures ? 16 : 0) | caching.diskContent.intersection(.all).rawValue << 5)
    }
}

extension HTTPHeaders {
    /// Lower-case names with their values, in an order that does not depend on how they were added.
    var sortedFields: [(name: String, value: String)] {
        isEmpty
            ? []
            : map { (name: $0.name.lowercased(), value: $0.value) }
                .sorted { ($0.name, $0.value) < ($1.name, $1.value) }
    }
}

extension KeyFields {
    mutating func append(_ target: TargetSize?) {
        append(target?.width ?? 0)
        append(target?.height ?? 0)
        append(target.map { $0.fit == .cover ? 2 : 1 } ?? 0)
        append(target?.allowsUpscaling ?? false)
    }

    mutating func append(_ limits: DecodeLimits) {
        append(limits.maxPixels)
        append(limits.maxSide)
        append(limits.maxInputBytes)
        append(limits.maxScans)
        append(limits.maxFrames)
        append(limits.maxTotalPixels)
        append(limits.maxNesting)
        append(Int(clamping: limits.maxDuration.clampedNanoseconds))
    }

    mutating func append(_ step: ProcessingStep) {
        append("step/1")
        let identity = step.identity
        append(identity.count)
        for part in identity { append(part) }
    }

    mutating func append(_ headers: [(name: String, value: String)]) {
        append(headers.count)
        for (name, value) in headers {
            append(name)
            append(value)
        }
    }
}
