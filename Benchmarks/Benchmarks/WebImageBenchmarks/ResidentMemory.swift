import Foundation

/// What this process has in the machine's memory, as Linux tells it (proc(5)).
enum ResidentMemory {
    /// How far `operation` takes the resident memory above what it is before it, in bytes.
    ///
    /// Writing 5 to `clear_refs` sets the kernel's high-water mark back to the current size, so that nothing which came
    /// earlier hides what the operation needs, and no sampling can miss it.
    static func peak(of operation: () throws -> Void) throws -> Int {
        guard let reset = FileHandle(forWritingAtPath: "/proc/self/clear_refs") else {
            throw CocoaError(.fileWriteNoPermission)
        }
        try reset.write(contentsOf: Data("5".utf8))
        let before = try field("VmRSS")
        try operation()
        return try field("VmHWM") - before
    }

    private static func field(_ name: String) throws -> Int {
        let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
        let line = status.split(separator: "\n").first { $0.hasPrefix(name + ":") }
        let kilobytes = line?.split(whereSeparator: { !$0.isNumber }).first.flatMap { Int($0) }
        guard let kilobytes else { throw CocoaError(.fileReadCorruptFile) }
        return kilobytes * 1_024
    }
}
