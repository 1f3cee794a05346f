/// Which machines may be connected to, decided by the address that a name was resolved to.
///
/// A service that fetches addresses which strangers chose can be made to reach into its own network: the metadata
/// service of its cloud, an administration page on the loopback interface. Looking at the URL is no defence, because a
/// name may resolve to anything, and to something else the second time. The policy is asked with the address that is
/// really connected to, at every hop.
///
/// ```swift
/// let transport = CurlTransport(configuration: .init(addresses: .publicOnly))
/// ```
public struct AddressPolicy: Sendable {
    private enum Rule {
        case any
        case publicOnly
        case custom(@Sendable (PeerAddress) -> Bool)
    }

    private let rule: Rule

    /// Everything is allowed.
    public static let any = AddressPolicy(rule: .any)

    /// Only addresses of the public Internet: what the IANA registries of special-purpose addresses (RFC 6890) call
    /// globally reachable.
    ///
    /// Loopback, private, link-local, shared, multicast, documentation and reserved addresses are refused. An IPv6
    /// address that carries an IPv4 one (mapped, compatible, translated, 6to4, NAT64, Teredo, ISATAP) is judged by what
    /// it carries. It does not know which public addresses belong to your own network: refuse those with
    /// ``custom(_:)``.
    public static let publicOnly = AddressPolicy(rule: .publicOnly)

    /// What a closure allows. It is called on the transport's thread, before a connection is made and again before each
    /// request is sent on a kept one; it must not block.
    public static func custom(_ allows: @escaping @Sendable (PeerAddress) -> Bool) -> AddressPolicy {
        AddressPolicy(rule: .custom(allows))
    }

    /// Whether an address may be connected to.
    public func allows(_ peer: PeerAddress) -> Bool {
        switch rule {
        case .any: true
        case .publicOnly: PublicAddresses.contains(peer.bytes)
        case .custom(let allows): allows(peer)
        }
    }

    /// Whether nothing needs to be asked.
    var allowsEverything: Bool {
        if case .any = rule { true } else { false }
    }
}
