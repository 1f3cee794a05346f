public import ImageCaching

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Where pictures are cached unless a program says otherwise.
public enum CacheDirectory {
    /// The folder's name under the user's cache folder.
    public static let name = "swift-web-image"

    /// `$XDG_CACHE_HOME/swift-web-image`, or `~/.cache/swift-web-image` when that variable is unset, empty or not an
    /// absolute path (XDG Base Directory Specification 0.8).
    public static var standard: String { standard(environment: ProcessInfo.processInfo.environment) }

    /// The same for a given environment. Without `HOME` it is `/tmp/swift-web-image-UID`, so that the users of a machine
    /// do not meet in one folder.
    static func standard(environment: [String: String]) -> String {
        if let cache = environment["XDG_CACHE_HOME"], cache.hasPrefix("/") { return "\(cache)/\(name)" }
        if let home = environment["HOME"], home.hasPrefix("/") { return "\(home)/.cache/\(name)" }
        return "/tmp/\(name)-\(getuid())"
    }
}

extension DiskCache {
    /// The cache in ``CacheDirectory/standard``, with default limits. All that use it in one process share it.
    public static let standard = DiskCache(Configuration(directory: CacheDirectory.standard))
}
