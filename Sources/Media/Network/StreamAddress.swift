import CFFmpeg
import Platform
import Time

/// The addresses that are opened, by their scheme.
///
/// `http` and `https` are read here (`HTTPSession`). The others FFmpeg reads by itself, each with the protocols that it rests
/// on and no more: so none of them leads to the web, or to another of them. Left out is what cannot be kept to its host or
/// verified: RTMP over HTTP (FFmpeg follows redirections there), and RTSP over TLS (FFmpeg 5.1 cannot verify it).
public enum StreamAddress {
    /// What may stand before `://`.
    public static let schemes = ["http", "https", "rtmp", "rtmps", "rtmpe", "rtsp", "rtp", "udp", "tcp"]

    private static let protocols = [
        "rtmp": "rtmp,tcp", "rtmps": "rtmps,tls,tcp", "rtmpe": "rtmpe,ffrtmpcrypt,tcp", "rtsp": "tcp", "rtp": "rtp,udp",
        "udp": "udp", "tcp": "tcp",
    ]

    static func scheme(of location: String) -> String {
        location.firstIndex(of: ":").map { location[..<$0].lowercased() } ?? ""
    }

    /// Whether its demuxer makes the connections itself: there are no bytes to look at before.
    static func isSession(_ location: String) -> Bool { ["rtsp", "rtp"].contains(scheme(of: location)) }

    static func isWeb(_ location: String) -> Bool { ["http", "https"].contains(scheme(of: location)) }

    /// What FFmpeg opens an address with that is not of the web; nil where it does not.
    package static func options(for location: String, patience: Duration) -> [(String, String)]? {
        let scheme = scheme(of: location)
        guard let protocols = protocols[scheme] else { return nil }
        var options = [
            ("protocol_whitelist", protocols), ("rw_timeout", String(patience.nanoseconds / 1000)),
        ]
        // By UDP, the server would say which hosts are called.
        if scheme == "rtsp" { options.append(("rtsp_transport", "tcp")) }
        if scheme == "rtmps" { options.append(("tls_verify", "1")) }
        return options
    }
}

/// Breaks off what FFmpeg does on the network by itself when that takes too long, or leads elsewhere.
///
/// @unchecked Sendable: used on the demuxer's thread alone, where FFmpeg asks.
///
/// Threads: confined to the thread that reads the media, on which FFmpeg asks whether to go on.
final class StreamWatch: @unchecked Sendable {
    /// For one packet, and for all of opening.
    let patience: Duration
    private let isCancelled: () -> Bool
    private var deadline: HostTime?
    private(set) var hasExpired = false
    private(set) var hasMoved = false
    private var context: UnsafeMutablePointer<AVFormatContext>?
    private var url: String?

    init(patience: Duration, isCancelled: @escaping () -> Bool) {
        self.patience = patience
        self.isCancelled = isCancelled
    }

    /// An RTSP server's redirection replaces the container's address before it is called: nothing is sent there.
    func watch(_ context: UnsafeMutablePointer<AVFormatContext>?, url: String?) {
        self.context = context
        self.url = url
    }

    /// Something begins that may take `patience`.
    func begin() {
        deadline = .now() + patience
        hasExpired = false
    }

    var isInterrupted: Bool {
        if isCancelled() { return true }
        if let url, let current = context?.pointee.url, String(cString: current) != url { hasMoved = true }
        if let deadline, HostTime.now() > deadline { hasExpired = true }
        return hasExpired || hasMoved
    }
}
