import FoundationEssentials
import WebImage

/// Downloads many files and nothing else, to be held against `curl --parallel` as a whole process.
///
///     Downloads BASE_URL FILES COUNT WIDTH     downloads BASE_URL/0 … BASE_URL/(FILES-1) until COUNT were had
@main
enum Downloads {
    struct Usage: Error {}

    static func main() async throws {
        let arguments = CommandLine.arguments
        guard arguments.count == 5, let files = Int(arguments[2]), let count = Int(arguments[3]),
            let width = Int(arguments[4])
        else { throw Usage() }
        try await run(arguments[1], files: files, count: count, width: width)
    }

    /// Away from the main thread, which would be woken for each file.
    @concurrent static func run(_ base: String, files: Int, count: Int, width: Int) async throws {
        var configuration = Fetcher.Configuration()
        configuration.maxConcurrentDownloads = width
        let fetcher = Fetcher(
            configuration: configuration, transports: [CurlTransport(configuration: .init(proxy: .none))])
        try await withThrowingTaskGroup(of: Int.self) { group in
            // As many tasks as may run, and some that wait: a list is not turned into tasks all at once.
            var next = 0
            func add() {
                guard next < count, let url = URL(string: "\(base)/\(next % files)") else { return }
                next += 1
                group.addTask { try await fetcher.fetch(FetchRequest(url: url)).bytes.count }
            }
            for _ in 0..<(width * 2) { add() }
            for try await bytes in group {
                guard bytes == 100_000 else { throw Usage() }
                add()
            }
        }
    }
}
