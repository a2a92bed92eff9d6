/// The kind of network that a host is on: the Internet or a local network.
enum HostZone: Hashable, Sendable {
    /// The Internet.
    case global
    /// This machine or a local network. Includes loopback, link-local, private, multicast and reserved addresses, and
    /// all others that are not assigned to hosts on the Internet.
    case local

    /// Classifies an address by the special-purpose address registries (RFC 6890;
    /// iana.org/assignments/iana-ipv4-special-registry and iana-ipv6-special-registry).
    init(of address: IPAddress) {
        let isLocal = address.bytes.count == 4 ? Self.isLocalIPv4(address.bytes[...]) : Self.isLocalIPv6(address.bytes)
        self = isLocal ? .local : .global
    }

    private static func isLocalIPv4(_ bytes: ArraySlice<UInt8>) -> Bool {
        let value = bytes.reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
        return localIPv4.contains { value >> (32 - $0.length) == $0.prefix >> (32 - $0.length) }
    }

    private static let localIPv4: [(prefix: UInt32, length: UInt32)] = [
        (0x0000_0000, 8),  // "This network"; 0.0.0.0 is this machine
        (0x0A00_0000, 8),  // Private, RFC 1918
        (0x6440_0000, 10),  // Carrier-grade NAT, RFC 6598
        (0x7F00_0000, 8),  // Loopback
        (0xA9FE_0000, 16),  // Link-local; includes the cloud metadata service, 169.254.169.254
        (0xAC10_0000, 12),  // Private
        (0xC000_0000, 24),  // Protocol assignments, RFC 6890
        (0xC000_0200, 24),  // Documentation
        (0xC0A8_0000, 16),  // Private
        (0xC612_0000, 15),  // Benchmarking, RFC 2544
        (0xC633_6400, 24),  // Documentation
        (0xCB00_7100, 24),  // Documentation
        (0xE000_0000, 4),  // Multicast
        (0xF000_0000, 4),  // Reserved and broadcast
    ]

    private static func isLocalIPv6(_ bytes: [UInt8]) -> Bool {
        // NAT64 (RFC 6052) and 6to4 (RFC 3056) addresses reach the IPv4 address that they embed.
        if bytes.starts(with: [0x00, 0x64, 0xFF, 0x9B, 0, 0, 0, 0, 0, 0, 0, 0]) { return isLocalIPv4(bytes[12...]) }
        if bytes.starts(with: [0x20, 0x02]) { return isLocalIPv4(bytes[2..<6]) }
        // Only 2000::/3 is assigned to hosts on the Internet. Outside this range are ::, ::1, fc00::/7, fe80::/10,
        // ff00::/8 and local NAT64 (RFC 8215).
        guard bytes[0] & 0xE0 == 0x20 else { return true }
        // Inside this range, the exceptions are protocol assignments including Teredo (2001::/23), and documentation
        // (2001:db8::/32, 3fff::/20).
        return bytes.starts(with: [0x20, 0x01]) && bytes[2] < 2 || bytes.starts(with: [0x20, 0x01, 0x0D, 0xB8])
            || bytes.starts(with: [0x3F, 0xFF]) && bytes[2] < 0x10
    }
}

/// The source of a URL, which determines where the URL may lead.
enum Referrer: Hashable, Sendable {
    /// The user, who may open any host.
    case user
    /// A playlist or a redirect from a host in this zone.
    case host(HostZone)

    /// Whether a URL from this source may lead to hosts in `zone`. A host on the Internet may refer only to hosts on
    /// the Internet. The user and local hosts may refer to any host.
    func mayLead(to zone: HostZone) -> Bool { self != .host(.global) || zone == .global }
}
