import Time

/// Timeouts, retry delays and security settings for network access. A value; tests use their own.
package struct NetworkRules: Hashable, Sendable {
    /// The time limit for the head of a response, including name resolution and connecting.
    var answerTimeout = Duration.seconds(15)
    /// The longest wait for further bytes of a response.
    var stallTimeout = Duration.seconds(10)
    /// How long to keep reconnecting after the first failure, during playback.
    package var reconnectTimeout = Duration.seconds(45)
    /// How long to keep reconnecting after the first failure, while the media is being opened.
    var openingTimeout = Duration.seconds(15)
    /// The time limit for protocols that FFmpeg implements itself (all except HTTP): for one packet, and for opening as
    /// a whole.
    var streamTimeout = Duration.seconds(20)
    /// The delays before the first, second and later reconnection attempts; the last one repeats.
    var pauses = [
        Duration.zero, .milliseconds(500), .seconds(1), .seconds(2), .seconds(4), .seconds(8),
    ]
    /// Addresses to classify as global regardless of their range.
    var globalAddresses: Set<IPAddress> = []
    /// The path of a CA certificate file to trust instead of the system's certificates; nil for the system's.
    var certificates: String?

    package init() {}

    func zone(of address: IPAddress) -> HostZone { globalAddresses.contains(address) ? .global : HostZone(of: address) }
}
