import GlissadeCCURL
import Glibc
import GlissadePlatform
import GlissadeTime

/// One HTTP request and its response. Created and ended by a session.
///
/// Threads: confined to its session's thread. libcurl's callbacks run on that thread too.
final class HTTPTransfer {
    /// The URL and byte range to request, and the source of the URL.
    struct Request {
        var address: WebAddress
        var referrer: Referrer
        /// The range of bytes to request: the value of the `Range` header without the unit, such as `0-`.
        var range: String
    }

    let request: Request
    let easy: UnsafeMutableRawPointer
    private(set) var head = HTTPHead()
    /// libcurl's result code; nil while the transfer is in progress.
    private(set) var result: CURLcode?
    /// The zone of the responding server; `global` until known. Behind a proxy, the zone is judged by the host's name.
    private(set) var zone: HostZone
    /// The host's IP address that was rejected last; nil if no address was rejected, or if an address has been accepted
    /// since.
    private(set) var refused: IPAddress?
    /// The body bytes in memory. The first `taken` of them have already been read.
    private var buffer: [UInt8] = []
    private var taken = 0
    private(set) var isPaused = false
    /// The start of the current measurement of the rate; nil once this transfer has been measured.
    var measuredSince: HostTime? = .now()
    /// The end of the last wait for this transfer; nil before the first wait.
    var lastWait: HostTime?
    /// The number of body bytes received so far.
    private(set) var received = 0
    /// The number of body bytes received so far, if the response is a redirect or an error.
    private var discarded = 0

    private let curl: GlissadeCurl
    private let rules: NetworkRules
    private let isProxied: Bool
    private let message: UnsafeMutablePointer<CChar>
    /// The status lines to accept in addition to those of HTTP. The list is kept here because libcurl does not copy it.
    private var otherGreetings: UnsafeMutablePointer<curl_slist>?

    /// The maximum number of bytes in `buffer`. The transfer pauses before the buffer would exceed this size.
    private static let bufferLimit = 512 << 10
    /// The maximum number of body bytes to accept in a redirect or an error response. If more arrive, the transfer
    /// fails.
    private static let discardLimit = 64 << 10

    /// Prepares a request for the session to start.
    ///
    /// - Throws: `outOfMemory`, or `oldLibrary` if libcurl lacks a required feature.
    init(
        _ request: Request, curl: GlissadeCurl, rules: NetworkRules, proxy: String?, cookies: UnsafeMutableRawPointer
    ) throws(ResourceFailure) {
        guard let easy = curl.easy_init() else { throw .outOfMemory }
        self.request = request
        self.easy = easy
        self.curl = curl
        self.rules = rules
        isProxied = proxy != nil
        zone = isProxied ? Self.zone(ofName: request.address.host, rules) : .global
        message = .allocate(capacity: Int(CURL_ERROR_SIZE))
        message.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
        // SHOUTcast.
        otherGreetings = curl.slist_append(nil, "ICY 200 OK")
        guard setCallbacks() else { throw .oldLibrary }
        try Self.check(setOptions(proxy: proxy, cookies: cookies))
    }

    /// Throws an error unless `code`, the result of setting an option, is `CURLE_OK`.
    static func check(_ code: CURLcode) throws(ResourceFailure) {
        switch code {
        case CURLE_OK: return
        case CURLE_OUT_OF_MEMORY: throw .outOfMemory
        default: throw .oldLibrary
        }
    }

    deinit {
        curl.easy_cleanup(easy)
        curl.slist_free_all(otherGreetings)
        message.deallocate()
    }

    private func setOptions(proxy: String?, cookies: UnsafeMutableRawPointer) -> CURLcode {
        var worst = CURLE_OK
        func set(_ option: CURLoption, _ text: String) {
            let code = glissade_curl_set_text(curl, easy, option, text)
            if code != CURLE_OK { worst = code }
        }
        func set(_ option: CURLoption, _ number: Int) {
            let code = glissade_curl_set_number(curl, easy, option, number)
            if code != CURLE_OK { worst = code }
        }
        set(CURLOPT_URL, request.address.text)
        set(CURLOPT_RANGE, request.range)
        set(CURLOPT_PROTOCOLS_STR, "http,https")
        // Each redirect is a separate request, checked by its own referrer.
        set(CURLOPT_FOLLOWLOCATION, 0)
        set(CURLOPT_PROXY, proxy ?? "")
        set(CURLOPT_NOPROXY, "")
        set(CURLOPT_SUPPRESS_CONNECT_HEADERS, 1)
        set(CURLOPT_SSL_VERIFYPEER, 1)
        set(CURLOPT_SSL_VERIFYHOST, 2)
        if let certificates = rules.certificates { set(CURLOPT_CAINFO, certificates) }
        set(CURLOPT_USERAGENT, "Glissade")
        set(CURLOPT_HTTPAUTH, glissade_curl_authentication)
        set(CURLOPT_NOSIGNAL, 1)
        set(CURLOPT_TCP_KEEPALIVE, 1)
        set(CURLOPT_BUFFERSIZE, 64 << 10)
        // Do not wait for the resolver thread when the transfer ends. Supported since libcurl 7.87.
        _ = glissade_curl_set_number(curl, easy, CURLOPT_QUICK_EXIT, 1)
        _ = glissade_curl_set_pointer(curl, easy, CURLOPT_ERRORBUFFER, message)
        _ = glissade_curl_set_pointer(curl, easy, CURLOPT_SHARE, cookies)
        _ = glissade_curl_set_pointer(curl, easy, CURLOPT_HTTP200ALIASES, otherGreetings)
        return worst
    }

    private func setCallbacks() -> Bool {
        glissade_curl_set_callbacks(
            curl, easy,
            { data, size, count, context in
                guard let data, let context else { return 0 }
                let line = UnsafeRawBufferPointer(start: data, count: size * count)
                return HTTPTransfer.of(context).head.take(line) ? line.count : 0
            },
            { data, size, count, context in
                guard let data, let context else { return 0 }
                return HTTPTransfer.of(context).receive(UnsafeRawBufferPointer(start: data, count: size * count))
            },
            { context, _, address in
                guard let context, let address else { return CURL_SOCKET_BAD }
                return HTTPTransfer.of(context).connect(address)
            },
            { context, peer, _, _, _ in
                guard let context, let peer else { return CURL_PREREQFUNC_ABORT }
                return HTTPTransfer.of(context).willAsk(String(cString: peer))
                    ? CURL_PREREQFUNC_OK : CURL_PREREQFUNC_ABORT
            }, Unmanaged.passUnretained(self).toOpaque()) != 0
    }

    /// Returns the transfer that a libcurl callback belongs to. The session keeps that transfer alive while callbacks
    /// may occur.
    private static func of(_ context: UnsafeMutableRawPointer) -> HTTPTransfer {
        Unmanaged<HTTPTransfer>.fromOpaque(context).takeUnretainedValue()
    }

    // MARK: - Hosts

    /// Creates a socket for a resolved address, or returns `CURL_SOCKET_BAD` to reject the address. Checking the
    /// address, not the name, protects against DNS rebinding.
    private func connect(_ address: UnsafeMutablePointer<curl_sockaddr>) -> curl_socket_t {
        var bytes = [UInt8](repeating: 0, count: 16)
        let count = Int(glissade_curl_address_bytes(address, &bytes))
        guard let peer = IPAddress(bytes: Array(bytes.prefix(count))), accepts(peer) else { return CURL_SOCKET_BAD }
        return glissade_curl_socket(address)
    }

    /// Returns whether a request may be sent to the IP address `text`, and records the zone of that address. Called
    /// before each request, even on a reused connection.
    private func willAsk(_ text: String) -> Bool {
        if isProxied { return true }
        guard let peer = IPAddress(text), accepts(peer) else { return false }
        zone = rules.zone(of: peer)
        // If another address of the host was rejected, that no longer matters.
        refused = nil
        return true
    }

    private func accepts(_ peer: IPAddress) -> Bool {
        if isProxied || request.referrer.mayLead(to: rules.zone(of: peer)) { return true }
        refused = peer
        return false
    }

    /// Returns the zone of a host, judged by its name alone. Used behind a proxy, which resolves the name itself.
    static func zone(ofName host: String, _ rules: NetworkRules) -> HostZone {
        if let address = IPAddress(host) { return rules.zone(of: address) }
        // `127.1` and `0x7f000001` are IPv4 addresses too.
        var number = in_addr()
        if inet_aton(host, &number) != 0 {
            return withUnsafeBytes(of: number) { IPAddress(bytes: Array($0)) }.map(rules.zone) ?? .local
        }
        let name = host.lowercased().hasSuffix(".") ? String(host.lowercased().dropLast()) : host.lowercased()
        let isLocal = !name.contains(".") || localDomains.contains { name.hasSuffix("." + $0) }
        return isLocal ? .local : .global
    }

    /// The domains that are reserved for local networks (RFC 6761, 6762, 8375; ICANN's `internal`), and undelegated
    /// domains that are in common use on such networks.
    private static let localDomains = [
        "localhost", "local", "home.arpa", "internal", "lan", "localdomain", "home", "corp", "intranet",
    ]

    // MARK: - The response

    private func receive(_ data: UnsafeRawBufferPointer) -> Int {
        guard (200..<300).contains(head.status) else {
            discarded += data.count
            return discarded <= Self.discardLimit ? data.count : 0
        }
        if taken == buffer.count {
            buffer.removeAll(keepingCapacity: true)
            taken = 0
        } else if buffer.count + data.count > Self.bufferLimit {
            isPaused = true
            return Int(CURL_WRITEFUNC_PAUSE)
        }
        buffer.append(contentsOf: data)
        received += data.count
        return data.count
    }

    func didEnd(_ result: CURLcode) { self.result = result }

    /// Whether the response head is complete, or will never be complete.
    var isAnswered: Bool {
        // With status 401, libcurl may repeat the request with another authentication scheme.
        result != nil || head.isAnswer && head.status != 401
    }

    /// The number of body bytes that have been received but not yet read.
    var waiting: Int { buffer.count - taken }

    /// Moves received body bytes into `target`. Returns the number of bytes moved; 0 if there are none.
    func read(into target: UnsafeMutableRawBufferPointer) -> Int {
        let count = min(target.count, waiting)
        buffer.withUnsafeBytes { target.copyMemory(from: UnsafeRawBufferPointer(rebasing: $0[taken..<taken + count])) }
        taken += count
        resumeIfDrained()
        return count
    }

    /// Discards up to `count` received body bytes.
    func drop(_ count: Int) {
        taken += min(count, waiting)
        resumeIfDrained()
    }

    private func resumeIfDrained() {
        guard isPaused, waiting == 0 else { return }
        isPaused = false
        _ = curl.easy_pause(easy, CURLPAUSE_CONT)
    }

    /// Why the transfer failed; nil if it has succeeded or is still in progress.
    var failure: ResourceFailure? {
        guard let result else { return nil }
        if let refused, result != CURLE_OK {
            return .leadsToLocal(
                "\(refused)" == request.address.host ? "\(refused)" : "\(request.address.host) (\(refused))")
        }
        if result == CURLE_OK { return nil }
        let text = String(cString: message)
        return ResourceFailure(
            result, host: request.address.host, text: text.isEmpty ? "error \(result.rawValue)" : text,
            systemError: CInt(glissade_curl_system_error(curl, easy)), hasAnswered: head.isAnswer)
    }
}
