import GlissadeCFFmpeg
import GlissadePlatform
import GlissadeTime

/// The URL schemes that Glissade supports, and FFmpeg's options for them.
///
/// `ResourceSession` reads `http` and `https`. FFmpeg reads the other schemes itself, and may use only the protocols
/// that the scheme is built on. RTMP over HTTP is excluded, since FFmpeg follows redirects there. RTSP over TLS is excluded,
/// since FFmpeg 5.1 cannot verify certificates there.
public enum StreamAddress {
    /// The schemes of the URLs that can be opened, in lower case.
    public static let schemes = ["http", "https", "rtmp", "rtmps", "rtmpe", "rtsp", "rtp", "udp", "tcp"]

    /// The protocols that FFmpeg may use for each scheme that it reads itself.
    private static let protocols = [
        "rtmp": "rtmp,tcp", "rtmps": "rtmps,tls,tcp", "rtmpe": "rtmpe,ffrtmpcrypt,tcp", "rtsp": "tcp", "rtp": "rtp,udp",
        "udp": "udp", "tcp": "tcp",
    ]

    /// Returns the scheme of a URL, in lower case; empty if there is none.
    static func scheme(of location: String) -> String {
        location.firstIndex(of: ":").map { location[..<$0].lowercased() } ?? ""
    }

    /// Whether FFmpeg's demuxer for this URL makes its own connection. There are then no bytes to probe.
    static func isSession(_ location: String) -> Bool { ["rtsp", "rtp"].contains(scheme(of: location)) }

    /// Whether a lost connection to `location` is reopened. A server of RTMP or RTSP then continues its live
    /// stream; with the other protocols, nothing says where the data continues.
    static func canReopen(_ location: String) -> Bool {
        ["rtmp", "rtmps", "rtmpe", "rtsp"].contains(scheme(of: location))
    }

    /// Whether `location` is an `http` or `https` URL.
    static func isWeb(_ location: String) -> Bool { ["http", "https"].contains(scheme(of: location)) }

    /// Returns why a URL with a scheme that is not supported is not opened.
    static func refusal(of location: String) -> String {
        let scheme = scheme(of: location)
        let advice = "; open the share in the file manager, and play the file from where it is mounted"
        return "\(scheme):// addresses are not supported\(shares.contains(scheme) ? advice : "")"
    }

    /// The schemes of network shares that file managers mount.
    private static let shares: Set<String> = ["afp", "dav", "davs", "ftp", "ftps", "nfs", "sftp", "smb", "ssh"]

    /// Returns FFmpeg's options for opening a URL that is neither `http` nor `https`; nil if the URL's scheme is not
    /// supported.
    package static func options(for location: String, timeout: Duration) -> [(String, String)]? {
        let scheme = scheme(of: location)
        guard let protocols = protocols[scheme] else { return nil }
        var options = [
            ("protocol_whitelist", protocols), ("rw_timeout", String(timeout.nanoseconds / 1000)),
        ]
        // With UDP, the server would choose the hosts to contact.
        if scheme == "rtsp" { options.append(("rtsp_transport", "tcp")) }
        if scheme == "rtmps" { options.append(("tls_verify", "1")) }
        return options
    }
}

/// Interrupts FFmpeg's own network protocols upon cancellation, a timeout or a redirect.
///
/// Threads: confined to the thread that reads the media. FFmpeg's callbacks run on that thread too, so `@unchecked
/// Sendable` is safe.
final class StreamWatch: @unchecked Sendable {
    /// The time limit for opening the URL, and for reading each packet.
    let timeout: Duration
    private let isCancelled: () -> Bool
    private var deadline: HostTime?
    /// Whether the time limit has been exceeded since the last `begin`.
    private(set) var hasExpired = false
    /// Whether the server has redirected to another URL.
    private(set) var hasMoved = false
    private var context: UnsafeMutablePointer<AVFormatContext>?
    private var url: String?

    init(timeout: Duration, isCancelled: @escaping () -> Bool) {
        self.timeout = timeout
        self.isCancelled = isCancelled
    }

    /// Starts watching for a redirect away from `url`; stops watching if `url` is nil. If an RTSP server redirects,
    /// FFmpeg replaces the URL in `context` before it connects to the new host. Nothing is therefore sent to that host.
    func watch(_ context: UnsafeMutablePointer<AVFormatContext>?, url: String?) {
        self.context = context
        self.url = url
    }

    /// Starts the time limit for opening, or for the next packet: `timeout`, or `limit` if that is not nil. Resets
    /// `hasExpired`.
    func begin(limit: Duration? = nil) {
        deadline = .now() + (limit ?? timeout)
        hasExpired = false
    }

    /// Whether FFmpeg must stop because of cancellation, a redirect or the time limit. Updates `hasMoved` and
    /// `hasExpired`, unless canceled.
    var isInterrupted: Bool {
        if isCancelled() { return true }
        if let url, let current = context?.pointee.url, String(cString: current) != url { hasMoved = true }
        if let deadline, HostTime.now() > deadline { hasExpired = true }
        return hasExpired || hasMoved
    }
}
