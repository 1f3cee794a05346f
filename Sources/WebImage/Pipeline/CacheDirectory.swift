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
    ///
    /// Without `HOME` it is `/tmp/swift-web-image-UID`, so that the users of a machine do not meet in one folder.
    public static var standard: String { configuration.directory }

    /// The configuration of a disk cache in ``standard``, with default limits. In `/tmp`, where everybody may make a folder
    /// of that name, it is refused unless it is this user's own: see
    /// `DiskCache.Configuration.requiresPrivateDirectory`.
    public static var configuration: DiskCache.Configuration {
        configuration(environment: ProcessInfo.processInfo.environment)
    }

    static func configuration(environment: [String: String]) -> DiskCache.Configuration {
        if let cache = environment["XDG_CACHE_HOME"], cache.hasPrefix("/") {
            return .init(directory: "\(cache)/\(name)")
        }
        if let home = environment["HOME"], home.hasPrefix("/") { return .init(directory: "\(home)/.cache/\(name)") }
        var configuration = DiskCache.Configuration(directory: "/tmp/\(name)-\(geteuid())")
        configuration.requiresPrivateDirectory = true
        return configuration
    }
}

extension DiskCache {
    /// The cache in ``CacheDirectory/standard``, with default limits. All that use it in one process share it.
    public static let standard = DiskCache(CacheDirectory.configuration)
}
