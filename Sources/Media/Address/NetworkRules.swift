import Time

/// Network timeouts, and how hosts are classified. A value; tests use their own.
package struct NetworkRules: Hashable, Sendable {
    /// Time to the first byte of a response, including name resolution and connecting.
    var answerTimeout = Duration.seconds(15)
    /// Time between two bytes of a response.
    var stallTimeout = Duration.seconds(10)
    /// How long to keep reconnecting after the first failure.
    package var reconnectTimeout = Duration.seconds(45)
    /// The same while opening, before anything is shown.
    var openingTimeout = Duration.seconds(15)
    /// Timeout for protocols that FFmpeg implements itself: for one packet, and for opening as a whole.
    var streamTimeout = Duration.seconds(20)
    /// Delays between attempts; the last one repeats.
    var pauses = [
        Duration.zero, .milliseconds(500), .seconds(1), .seconds(2), .seconds(4), .seconds(8),
    ]
    /// Addresses that count as global regardless of their range.
    var globalAddresses: Set<IPAddress> = []
    /// A CA certificate file to trust instead of the system's.
    var certificates: String?

    package init() {}

    func zone(of address: IPAddress) -> HostZone { globalAddresses.contains(address) ? .global : HostZone(of: address) }
}
