import Time

/// Timeouts, retry delays and security settings for network access. A value; tests use other settings.
package struct NetworkRules: Hashable, Sendable {
    /// The time limit for receiving the head of a response. It includes name resolution and connecting.
    var answerTimeout = Duration.seconds(15)
    /// The longest time to wait for more bytes of a response.
    var stallTimeout = Duration.seconds(10)
    /// How long to keep reconnecting after the first failure, during playback.
    package var reconnectTimeout = Duration.seconds(45)
    /// How long to keep reconnecting after the first failure, while the media is being opened.
    var openingTimeout = Duration.seconds(15)
    /// The time limit for reading a packet, and for opening as a whole, with protocols that FFmpeg implements itself
    /// (all except HTTP).
    var streamTimeout = Duration.seconds(20)
    /// The delays before the first and each later attempt to reconnect. The last delay repeats.
    var pauses = [
        Duration.zero, .milliseconds(500), .seconds(1), .seconds(2), .seconds(4), .seconds(8),
    ]
    /// The addresses to classify as global, whatever range they are in. Tests use this for their local servers.
    var globalAddresses: Set<IPAddress> = []
    /// The path of a CA certificate file to use instead of the system's certificates; nil to use the system's.
    var certificates: String?

    package init() {}

    /// Returns the zone of an address, with `globalAddresses` taken into account.
    func zone(of address: IPAddress) -> HostZone { globalAddresses.contains(address) ? .global : HostZone(of: address) }
}
