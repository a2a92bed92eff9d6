import GlissadeCCURL
import Glibc
import GlissadePlatform

/// The reason why reading from a web server, or from a file of a playlist's folder, failed. `description` is text for
/// the user.
enum ResourceFailure: Error, Hashable, Sendable, CustomStringConvertible {
    case interrupted
    /// libcurl is not installed.
    case noLibrary
    /// libcurl is too old, or was built without a required feature.
    case oldLibrary
    case invalidAddress
    /// A playlist or redirect on the Internet leads to this machine or a local network.
    case leadsToLocal(String)
    case status(Int, String)
    case tooManyRedirections
    /// A redirect leads to a URL that is not an `http` or `https` URL.
    case badRedirection
    case unresolved(host: String)
    case noConnection(host: String, reason: String)
    /// The server did not send the head of a response in time.
    case noAnswer(host: String)
    /// The server sent the head of a response, but no further data in time.
    case stalled
    /// The connection was closed before the end of the data.
    case closed
    case broken(reason: String)
    case certificate(host: String, reason: String)
    case encryption(host: String, reason: String)
    case notHTTP
    /// The file on the server changed between two requests.
    case changed
    /// The server cannot continue at the current offset.
    case notResumable
    /// A playlist in a file refers to a URL with a scheme.
    case namesAddress(String)
    /// A playlist in a file refers to a file outside its folder.
    case outsideFolder(String)
    /// A file in a playlist's folder cannot be read.
    case file(String, reason: String)
    case playlistTooLong
    /// An initialization segment or a segment index is empty.
    case emptyPart
    /// An initialization segment or a segment index is larger than `ResourceSession.mostSmallBytes`.
    case partTooLarge
    /// The segments of a stream that is open can no longer be rewritten.
    case changedFormat
    case tooManyStreams
    case outOfMemory

    var description: String {
        switch self {
        case .interrupted: "interrupted"
        case .noLibrary: "web addresses and playlists need libcurl, which is not installed"
        case .oldLibrary: "web addresses need libcurl 7.85 or later, with TLS"
        case .invalidAddress: "not a valid address"
        case .leadsToLocal(let host): "blocked: it leads from the Internet to \(host), which is on a private network"
        case .status(let code, let reason): "HTTP error \(code)\(reason.isEmpty ? "" : " \(reason)")"
        case .tooManyRedirections: "too many redirects"
        case .badRedirection: "the server redirects to an address that cannot be opened"
        case .unresolved(let host): "cannot resolve the host name \(host)"
        case .noConnection(let host, let reason): "cannot connect to \(host): \(reason)"
        case .noAnswer(let host): "\(host) does not respond"
        case .stalled: "the server stopped sending data"
        case .closed: "the server closed the connection"
        case .broken(let reason): "the connection failed (\(reason))"
        case .certificate(let host, let reason): "the certificate of \(host) is not trusted: \(reason)"
        case .encryption(let host, let reason): "no secure connection to \(host): \(reason)"
        case .notHTTP: "the server's response is not HTTP"
        case .changed: "the file on the server has changed"
        case .notResumable: "the server cannot resume an interrupted download"
        case .namesAddress(let address): "blocked: a playlist in a file cannot refer to an address (\(address))"
        case .outsideFolder(let path): "blocked: it refers to a file outside its folder (\(path))"
        case .file(let name, let reason): "\(name): \(reason)"
        case .playlistTooLong: "its playlist is too long"
        case .emptyPart: "the start of a segment is empty"
        case .partTooLarge: "the start of a segment is too large"
        case .changedFormat: "the format of its segments has changed, which is not supported"
        case .tooManyStreams: "its playlist names more than \(PlaylistScanner.Cost.mostStreams) streams"
        case .outOfMemory: "out of memory"
        }
    }

    /// Whether another attempt may succeed.
    var isRetriable: Bool {
        switch self {
        case .unresolved, .noConnection, .noAnswer, .stalled, .closed, .broken, .encryption: true
        case .status(let code, _): code == 408 || code == 429 || code >= 500
        default: false
        }
    }

    /// Whether the server responded with an error status, or a file cannot be read.
    var isUnavailable: Bool {
        switch self {
        case .status, .file: true
        default: false
        }
    }

    /// Whether this failure ends playback of the whole film, even if it affects only one part of a playlist.
    var endsFilm: Bool {
        switch self {
        case .leadsToLocal, .certificate, .changed, .notResumable, .playlistTooLong, .tooManyStreams: true
        default: false
        }
    }

    /// Creates the failure for a transfer that ended with `code`.
    ///
    /// - Parameters:
    ///   - text: The error message from libcurl.
    ///   - systemError: The `errno` of a failed connection; 0 if there is none.
    ///   - hasAnswered: Whether the head of the response had arrived.
    init(_ code: CURLcode, host: String, text: String, systemError errno: CInt, hasAnswered: Bool) {
        switch code {
        case CURLE_COULDNT_RESOLVE_HOST: self = .unresolved(host: host)
        case CURLE_COULDNT_CONNECT, CURLE_COULDNT_RESOLVE_PROXY:
            self = .noConnection(host: host, reason: errno == 0 ? text : systemError(errno))
        case CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_ISSUER_ERROR, CURLE_SSL_INVALIDCERTSTATUS:
            self = .certificate(host: host, reason: Self.shortened(text))
        case CURLE_SSL_CONNECT_ERROR, CURLE_SSL_CIPHER, CURLE_SSL_CACERT_BADFILE:
            self = .encryption(host: host, reason: Self.shortened(text))
        case CURLE_GOT_NOTHING, CURLE_PARTIAL_FILE: self = .closed
        case CURLE_OPERATION_TIMEDOUT: self = hasAnswered ? .stalled : .noAnswer(host: host)
        case CURLE_UNSUPPORTED_PROTOCOL, CURLE_WEIRD_SERVER_REPLY: self = .notHTTP
        // Before the response, only the header callback causes this error: it rejects an oversized head.
        case CURLE_WRITE_ERROR where !hasAnswered: self = .notHTTP
        case CURLE_URL_MALFORMAT: self = .invalidAddress
        case CURLE_OUT_OF_MEMORY: self = .outOfMemory
        case CURLE_RECV_ERROR, CURLE_SEND_ERROR: self = errno == 0 ? .closed : .broken(reason: systemError(errno))
        default: self = .broken(reason: text)
        }
    }

    /// Returns `text` without the prefix that libcurl puts before the reason.
    private static func shortened(_ text: String) -> String {
        for prefix in ["SSL certificate problem: ", "SSL: ", "server certificate verification failed. "]
        where text.hasPrefix(prefix) {
            return String(text.dropFirst(prefix.count))
        }
        return text
    }
}
