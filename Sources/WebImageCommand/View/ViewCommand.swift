#if GTK
import ArgumentParser

/// `webimage view`
///
/// Not asynchronous: windows need the first thread of the process, and an asynchronous command does not run there.
struct ViewCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "view", abstract: "Show pictures in a window.",
        discussion: """
            A grid of thumbnails; a click or Return shows one of them in the whole window, as does a single source. There: the arrow keys for the next \
            and the one before, i for where it came from and what it took, space to hold an animation, Escape for the grid. \
            Files and addresses can be dropped on the window. Ctrl+Q ends it.
            """)

    @Argument(help: "URLs, paths, or - for a list on standard input, one source a line.")
    var sources: [String] = []

    @Option(help: "How wide and high thumbnails are, in units of the screen.")
    var thumbnail: Int = 180

    @OptionGroup var fetching: FetchingOptions

    func validate() throws {
        guard (16...1_024).contains(thumbnail) else { throw ValidationError("--thumbnail goes from 16 to 1024.") }
    }

    @MainActor
    func show() throws {
        try Viewer.run(try Source.list(sources), fetching, thumbnail: thumbnail)
    }

    func run() throws {
        try MainActor.assumeIsolated { try show() }
    }
}
#else
import ArgumentParser

/// `webimage view` in a build without windows, which says so.
struct ViewCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "view", abstract: "Show pictures in a window.", shouldDisplay: false)

    @Argument(parsing: .captureForPassthrough)
    var arguments: [String] = []

    func run() throws {
        throw ValidationError(
            "This webimage was built without windows. Install libgtk-4-dev (Debian) or gtk4 (Homebrew) and build it with "
                + "the trait GTK; `webimage show` draws in the terminal.")
    }
}
#endif
