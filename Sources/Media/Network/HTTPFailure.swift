import CCURL
import Glibc
import Platform

/// Why something could not be read from a web server, in words for a person.
enum HTTPFailure: Error, Hashable, Sendable, CustomStringConvertible {
    case interrupted
    case noLibrary
    case oldLibrary
    case invalidAddress
    /// A playlist or a redirection on the Internet leads to this machine, or to others around it.
    case leadsToLocal(String)
    case status(Int, String)
    case tooManyRedirections
    /// A redirection to what is no address of the web.
    case badRedirection
    case unresolved(host: String)
    case noConnection(host: String, reason: String)
    case noAnswer(host: String)
    case stalled
    case closed
    case broken(reason: String)
    case certificate(host: String, reason: String)
    case encryption(host: String, reason: String)
    case notHTTP
    /// What was to be continued is something else by now.
    case changed
    case notResumable
    case playlistTooLong
    case tooManyStreams
    case outOfMemory

    var description: String {
        switch self {
        case .interrupted: "interrupted"
        case .noLibrary: "web addresses need libcurl, which is not installed"
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
        case .notHTTP: "the server's answer is not HTTP"
        case .changed: "the file on the server has changed"
        case .notResumable: "the server cannot resume an interrupted download"
        case .playlistTooLong: "its playlist is too long"
        case .tooManyStreams: "its playlist names more than \(PlaylistScanner.Cost.mostStreams) streams"
        case .outOfMemory: "out of memory"
        }
    }

    /// Whether another attempt may go better.
    var isRetriable: Bool {
        switch self {
        case .unresolved, .noConnection, .noAnswer, .stalled, .closed, .broken, .encryption: true
        case .status(let code, _): code == 408 || code == 429 || code >= 500
        default: false
        }
    }

    /// Whether a server has answered, and said no.
    var isStatus: Bool {
        if case .status = self { true } else { false }
    }

    /// Whether the rest of the film is not to be read any more, where it is a part of it that fails.
    var endsFilm: Bool {
        switch self {
        case .leadsToLocal, .certificate, .changed, .notResumable, .playlistTooLong, .tooManyStreams: true
        default: false
        }
    }

    /// What a transfer that ended with `code` means.
    ///
    /// - Parameters:
    ///   - text: libcurl's own words.
    ///   - systemError: of the system, behind a connection that was not made; 0 for none.
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
        // A head that is too long is refused where it is taken.
        case CURLE_WRITE_ERROR where !hasAnswered: self = .notHTTP
        case CURLE_URL_MALFORMAT: self = .invalidAddress
        case CURLE_OUT_OF_MEMORY: self = .outOfMemory
        case CURLE_RECV_ERROR, CURLE_SEND_ERROR: self = errno == 0 ? .closed : .broken(reason: systemError(errno))
        default: self = .broken(reason: text)
        }
    }

    /// Without what libcurl says before the reason.
    private static func shortened(_ text: String) -> String {
        for prefix in ["SSL certificate problem: ", "SSL: ", "server certificate verification failed. "]
        where text.hasPrefix(prefix) {
            return String(text.dropFirst(prefix.count))
        }
        return text
    }
}
