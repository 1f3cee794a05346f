package import Foundation
import Synchronization

/// An X server without a screen: what programs draw on it lies in a file.
package final class VirtualScreen: Sendable {
    /// What `DISPLAY` is for programs that are to draw here.
    package let display: String
    /// The screen's pixels, as an X window dump.
    package let file: URL
    private let process: ServerProcess
    private let folder: URL

    /// Starts one of 1,024 × 1,024 pixels.
    package init() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "screen-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let number = Mutex("")
        do {
            process = try ServerProcess(
                "Xvfb",
                [
                    "-displayfd", "1", "-screen", "0", "1024x1024x24", "-fbdir", folder.path, "-nolisten", "tcp",
                    "-noreset",
                ]
            ) { said in
                // It says its number, alone on a line, when it listens; its keyboard compiler says other things.
                let found = said.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
                    .first { !$0.isEmpty && $0.allSatisfy(\.isNumber) }
                guard let found else { return false }
                number.withLock { $0 = String(found) }
                return true
            }
        } catch {
            try? FileManager.default.removeItem(at: folder)
            throw error
        }
        self.folder = folder
        file = folder.appending(path: "Xvfb_screen0")
        display = ":" + number.withLock { $0 }
    }

    deinit {
        process.end(with: SIGTERM)
        try? FileManager.default.removeItem(at: folder)
    }

    /// What a program of GTK has to be told to draw here, and the same on every machine.
    package var environment: [String: String] {
        [
            "DISPLAY": display, "WEBIMAGE_SCREEN": file.path, "GDK_BACKEND": "x11", "GSK_RENDERER": "cairo",
            "GTK_THEME": "Adwaita", "GSETTINGS_BACKEND": "memory", "GTK_A11Y": "none", "NO_AT_BRIDGE": "1",
        ]
    }
}
