#if GTK
import Foundation
import ServerSupport
import Testing

/// A run of `GTKTrial` on a screen of its own: what it saw, by name.
struct Trial {
    private struct Finding: Decodable {
        let name: String
        let value: String
    }

    private let findings: [String: String]
    let notes: String

    /// Runs a scenario to its end, and expects that it gets there and that GTK has nothing to complain about.
    init(
        _ scenario: String, environment: [String: String] = [:], under observer: [String] = [],
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        let screen = try VirtualScreen()
        let outcome = try await BuiltCommand("GTKTrial").run(
            [scenario], environment: screen.environment.merging(environment) { $1 }, under: observer)
        findings = try outcome.records(Finding.self).reduce(into: [:]) { $0[$1.name] = $1.value }
        notes = outcome.notes
        #expect(!outcome.isKilled, "a signal ended it: \(outcome.code)", sourceLocation: sourceLocation)
        #expect(outcome.code == 0, "\(outcome.notes)", sourceLocation: sourceLocation)
        #expect(!notes.contains("CRITICAL"), "\(notes)", sourceLocation: sourceLocation)
        // The screen goes with the last reference to it, and not before.
        withExtendedLifetime(screen) {}
    }

    subscript(name: String) -> String? { findings[name] }

    func number(_ name: String) -> Int? { findings[name].flatMap { Int($0) } }
}
#endif
