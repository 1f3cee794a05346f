import Foundation
import Testing

@testable import WebImage

@Suite struct CacheDirectoryTests {
    @Test(
        "S123 C078: the cache folder follows the XDG base directories",
        arguments: [
            (["XDG_CACHE_HOME": "/var/cache/me", "HOME": "/home/me"], "/var/cache/me/swift-web-image"),
            (["HOME": "/home/me"], "/home/me/.cache/swift-web-image"),
            (["XDG_CACHE_HOME": "", "HOME": "/home/me"], "/home/me/.cache/swift-web-image"),
            (["XDG_CACHE_HOME": "relative", "HOME": "/home/me"], "/home/me/.cache/swift-web-image"),
            ([:], "/tmp/swift-web-image-\(geteuid())"),
        ])
    func standard(environment: [String: String], expected: String) {
        let configuration = CacheDirectory.configuration(environment: environment)
        #expect(configuration.directory == expected)
        #expect(configuration.requiresPrivateDirectory == environment.isEmpty)
    }
}
