import Time

/// Timeouts, retry delays and security settings for network access. A value; tests use their own.
package struct NetworkRules: Hashable, Sendable {
    /// The time limit for the head of a response, including name resolution and connecting.
    var answerTimeout = Duration.seconds(15)
    /// The longest time to wait for further bytes of a response.
    var stallTimeout = Duration.seconds(10)
    /// How long to keep reconnecting after the first failure, during playback.
    package var reconnectTimeout = Duration.seconds(45)
    /// How long to keep reconnecting after the first failure, while the media is being opened.
    var openingTimeout = Duration.seconds(15)
    /// The time limit for protocols that FFmpeg implements itself (all except HTTP). It applies to each packet, and
    /// to opening as a whole.
    var streamTimeout = Duration.seconds(20)
    /// The delays before the first, second and later attempts to reconnect. The last delay repeats.
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
