import ArgumentParser
import WebImage

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Where the picture of each source goes, and as what: known, with all that shows to be wrong, before anything is loaded.
/// Which name is whose depends on the order of the sources alone, and not on what becomes of them.
struct OutputPlan: Sendable {
    /// Each source's place, or why it has none, in their order.
    let places: [Result<OutputPlace, ImageError>]
    let sheet: ContactSheet?
    private let check: OutputCheck

    /// - Throws: wrong usage; of the contact sheet also that it cannot be written.
    init(_ wish: OutputWish, for sources: [Source]) throws {
        try wish.check()
        let check = OutputCheck(wish.replacement, sources)
        let wanted = try Self.places(wish, sources)
        sheet = try wish.sheet.map { try ContactSheet(path: $0) }
        if let sheet { try Self.check(sheet, beside: wanted, check) }
        places = zip(wanted, sources).map { place, source in
            Result { () throws(ImageError) in try check.allowed(place, source) }
        }
        self.check = check
    }

    /// Whether standard output is a picture's, so that reports go to standard error.
    var isPiped: Bool {
        places.contains { if case .success(.standardOutput) = $0 { true } else { false } }
    }

    /// Where a picture goes that is there now.
    func place(_ index: Int, _ source: Source, hasAlpha: Bool) throws(ImageError) -> OutputPlace {
        let place = try places[index].get()
        let decided = place.decided(hasAlpha: hasAlpha)
        return decided == place ? place : try check.allowed(decided, source)
    }

    private static func places(_ wish: OutputWish, _ sources: [Source]) throws(ValidationError) -> [OutputPlace] {
        guard let path = wish.path else { return sources.map { _ in .nowhere } }
        if OutputFile.isStandardOutput(path), let format = wish.format {
            guard sources.count == 1 else {
                throw ValidationError("Standard output takes one picture, and there are \(sources.count) sources.")
            }
            return [.standardOutput(format)]
        }
        guard sources.count > 1 || OutputWish.isFolder(path) else {
            guard let format = wish.format ?? FormatArgument(path: path)?.format else {
                throw ValidationError("The ending of \(path) names none of \(FormatArgument.list); say --format.")
            }
            return [.file(path, format)]
        }
        return try inFolder(path, wish.format, sources)
    }

    private static func inFolder(
        _ path: String, _ format: ImageFormat?, _ sources: [Source]
    ) throws(ValidationError) -> [OutputPlace] {
        let trimmed = path.last == "/" ? String(path.dropLast()) : path
        guard !FileManager.default.fileExists(atPath: trimmed) || OutputWish.isFolder(trimmed) else {
            throw ValidationError(
                "\(trimmed) is a file and no folder, as it has to be for several pictures or with a /.")
        }
        var names = OutputNames()
        return sources.map { source in
            let stem = "\(trimmed)/\(names.next(source.name))"
            return format.map { .file("\(stem).\($0.fileExtension)", $0) } ?? .byPicture(stem)
        }
    }

    /// The sheet replaces neither a source nor what is made of one.
    private static func check(_ sheet: ContactSheet, beside places: [OutputPlace], _ check: OutputCheck) throws {
        guard !check.isSource(sheet.path) else {
            throw ValidationError("\(sheet.path) is a source itself, and is not replaced; name another contact sheet.")
        }
        let path = OutputWish.standard(sheet.path)
        let isTaken = places.contains { place in
            [false, true].contains { hasAlpha in
                place.decided(hasAlpha: hasAlpha).name.map(OutputWish.standard) == path
            }
        }
        guard !isTaken else {
            throw ValidationError("\(sheet.path) is where a source's picture goes; name another contact sheet.")
        }
        if let obstacle = OutputFile.obstacle(to: sheet.path) { throw sheet.failure(obstacle) }
    }
}

/// Names of files in one folder, none of them twice: `cat`, `cat-2`, `cat-3`.
struct OutputNames {
    private var taken: Set<String> = []
    /// The number that is tried next.
    private var numbers: [String: Int] = [:]

    /// Names are compared without their extensions, which may not be known yet.
    mutating func next(_ name: String) -> String {
        var candidate = name
        while !taken.insert(candidate).inserted {
            let number = numbers[name, default: 1] + 1
            numbers[name] = number
            candidate = "\(name)-\(number)"
        }
        return candidate
    }
}

extension Source {
    /// Which file it is, if it is one.
    fileprivate var identity: OutputFile.Identity? {
        guard let url, url.isFileURL else { return nil }
        return OutputFile.Identity(url.path(percentEncoded: false))
    }
}

/// Which files may be written.
private struct OutputCheck: Sendable {
    private let replacement: OutputWish.Replacement
    private let sources: Set<OutputFile.Identity>

    init(_ replacement: OutputWish.Replacement, _ sources: [Source]) {
        self.replacement = replacement
        self.sources = Set(sources.compactMap(\.identity))
    }

    /// Whether a file is one of those that are loaded.
    func isSource(_ path: String) -> Bool { OutputFile.Identity(path).map(sources.contains) ?? false }

    /// The place, if the source's picture may go there and, as far as that shows, can.
    func allowed(_ place: OutputPlace, _ source: Source) throws(ImageError) -> OutputPlace {
        let obstacle: OutputFile.Failure?
        switch place {
        case .nowhere, .standardOutput: return place
        case .byPicture(let stem): obstacle = OutputFile.obstacle(toFileBeside: stem)
        case .file(let path, _):
            if replacement == .none, OutputFile.isThere(path) { throw .outputExists(path, source) }
            // One's own picture has been read by then; another's may not have been.
            let isOwn = replacement == .all && OutputFile.Identity(path) == source.identity
            if isSource(path), !isOwn { throw .outputIsSource(path, source) }
            obstacle = OutputFile.obstacle(to: path)
        }
        if let obstacle { throw ImageError(obstacle, stage: .encode, source) }
        return place
    }
}
