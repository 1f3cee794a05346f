#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// What a request proves its right with. Never prints its secret.
public struct Credential: Sendable, Hashable {
    private enum Scheme: String {
        case basic = "Basic"
        case bearer = "Bearer"
    }

    private let scheme: Scheme
    private let secret: String

    /// A user name and a password (RFC 7617), as UTF-8.
    ///
    /// - Throws: ``FetchError`` with `invalidHeader` for a user name with a colon, or control characters in either.
    public static func basic(user: String, password: String) throws(FetchError) -> Credential {
        guard !user.utf8.contains(UInt8(ascii: ":")) else {
            throw FetchError(.invalidHeader, "A user name for Basic credentials has a colon.")
        }
        guard !(user.utf8 + Array(password.utf8)).contains(where: { $0 < 0x20 || $0 == 0x7F }) else {
            throw FetchError(.invalidHeader, "Basic credentials have control characters.")
        }
        return Credential(scheme: .basic, secret: Data("\(user):\(password)".utf8).base64EncodedString())
    }

    /// A token (RFC 6750).
    ///
    /// - Throws: ``FetchError`` with `invalidHeader` for a token that is not one by RFC 6750 §2.1: letters, digits and
    ///   `-._~+/`, then any number of `=`.
    public static func bearer(_ token: String) throws(FetchError) -> Credential {
        let body = token.utf8.prefix { $0 != UInt8(ascii: "=") }
        guard !body.isEmpty, body.allSatisfy(isTokenByte),
            token.utf8.dropFirst(body.count).allSatisfy({ $0 == UInt8(ascii: "=") })
        else { throw FetchError(.invalidHeader, "A bearer token has characters that none may have.") }
        return Credential(scheme: .bearer, secret: token)
    }

    /// The value of the `Authorization` field. A secret: not for logs.
    public var authorization: String { "\(scheme.rawValue) \(secret)" }

    private static func isTokenByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default:
            "-._~+/".utf8.contains(byte)
        }
    }
}

extension Credential: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The scheme alone: `Basic …`.
    public var description: String { "\(scheme.rawValue) …" }
    public var debugDescription: String { description }
    public var customMirror: Mirror { Mirror(self, children: []) }
}
