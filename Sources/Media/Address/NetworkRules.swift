import GlissadeCFFmpeg
import GlissadeTime

/// Timeouts, retry delays and other settings for network access. Tests use other settings.
package struct NetworkRules: Hashable, Sendable {
    /// The time limit for receiving the head of a response. Includes name resolution and connecting.
    var answerTimeout = Duration.seconds(15)
    /// The longest time to wait for more bytes of a response.
    var stallTimeout = Duration.seconds(10)
    /// How long to keep trying to reconnect during playback, counted from the first failure.
    package var reconnectTimeout = Duration.seconds(45)
    /// How long to keep trying to reconnect while the media is being opened, counted from the first failure.
    var openingTimeout = Duration.seconds(15)
    /// The time limit for opening a URL, and for reading each packet. Applies to the protocols that FFmpeg implements
    /// itself (all except HTTP).
    var streamTimeout = Duration.seconds(20)
    /// The delays before successive attempts to reconnect. The last delay repeats.
    package var pauses = [
        Duration.zero, .milliseconds(500), .seconds(1), .seconds(2), .seconds(4), .seconds(8),
    ]
    /// Addresses to classify as global, even if they are in a local range. Tests add the addresses of their own
    /// servers.
    var globalAddresses: Set<IPAddress> = []
    /// The path of a CA certificate file; nil to use the system's certificates.
    var certificates: String?
    /// Whether MP4 segments of playlists are rewritten as MPEG-TS.
    var rewritesSegments = SegmentRewriting.isNeeded(by: avformat_version())

    package init() {}

    /// Returns the zone of an address. Addresses in `globalAddresses` are global.
    func zone(of address: IPAddress) -> HostZone { globalAddresses.contains(address) ? .global : HostZone(of: address) }
}
