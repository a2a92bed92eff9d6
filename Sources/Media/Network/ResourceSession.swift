import GlissadeCCURL
import Glibc
import GlissadePlatform
import GlissadeTime

/// What one film is read by: its HTTP connections, or the folder of its playlist. Restricts which hosts may be
/// contacted, and records failures.
///
/// Transfers advance only during `run` and `pause`.
///
/// FFmpeg's own HTTP protocol is not used, because it contacts hosts before they can be checked. With libcurl, each
/// direct connection is checked by the IP address that it is about to use. Behind a proxy, hosts are checked by name.
///
/// Threads: confined to the thread that reads the media. libcurl's callbacks run on that thread too. A read blocks, and
/// polls `isCancelled` while it waits.
final class ResourceSession {
    let rules: NetworkRules
    /// The folder of a playlist in a file; nil for a film on a server. With a folder, nothing is requested.
    let folder: PlaylistFolder?
    private let curl: GlissadeCurl
    private let multi: UnsafeMutableRawPointer
    /// The cookies that all transfers share. Servers use them to authorize access to the parts of a playlist.
    private let cookies: UnsafeMutableRawPointer
    private let proxies = ProxySettings()
    private var transfers: [UnsafeMutableRawPointer: HTTPTransfer] = [:]
    private let isCancelled: () -> Bool
    private let reconnecting: (Bool) -> Void

    /// The source of the next URL: first the user, then the film's host. Once a playlist has come from the Internet,
    /// the source stays the Internet. No later URL can then lead to a local network.
    var referrer = Referrer.user
    /// Whether the film is open. While the film is being opened, a failed first request is not retried, and a lost
    /// connection is retried only for `NetworkRules.openingTimeout`.
    var isOpen = false
    /// Why reading the film has failed for good; nil if there is no such failure. Cleared by `forgetFailures`.
    private(set) var failure: ResourceFailure?
    /// Why the last part could not be read; nil if that part was read successfully. A part is a segment, a key or
    /// another playlist.
    private(set) var partFailure: ResourceFailure?
    /// Why the first part that was skipped could not be read; nil if there is none since `takeSkipped`.
    private var skipped: ResourceFailure?
    /// When waits must end; nil if they have no common deadline.
    var deadline: HostTime?
    private var isReconnecting = false
    /// Measures how fast data arrives.
    private(set) var meter = RateMeter()
    /// The number of retries that the user has requested.
    private(set) var trial = 0
    /// The estimated cost of each playlist in FFmpeg, by the key from `playlistKey`.
    private var playlists: [String: PlaylistScanner.Cost] = [:]
    /// How many files have been requested while the film is being opened.
    private var openingCount = 0

    /// The maximum time between two checks for cancellation.
    private static let attention = Duration.milliseconds(40)
    /// The longest time without waiting that still counts toward a measurement of the rate. After a longer pause, data
    /// that arrived meanwhile would seem to have arrived at once.
    private static let longestPause = Duration.milliseconds(20)

    /// Creates a session without connections.
    ///
    /// - Parameters:
    ///   - folder: The folder of a playlist in a file; nil for a film on a server.
    ///   - isCancelled: Called during waits. If it returns true, the wait ends.
    ///   - reconnecting: Called with true when the connection is lost, and with false when the connection is back or
    ///     when no further attempts are made.
    init(
        rules: NetworkRules, folder: PlaylistFolder? = nil, isCancelled: @escaping () -> Bool,
        reconnecting: @escaping (Bool) -> Void
    ) throws(ResourceFailure) {
        guard let curl = Curl.library else { throw .noLibrary }
        guard let multi = curl.multi_init() else { throw .outOfMemory }
        guard let cookies = curl.share_init() else {
            _ = curl.multi_cleanup(multi)
            throw .outOfMemory
        }
        glissade_curl_share_cookies(curl, cookies)
        // A TLS write to a closed connection raises SIGPIPE, which would end the program.
        var signals = sigset_t()
        sigemptyset(&signals)
        sigaddset(&signals, SIGPIPE)
        pthread_sigmask(SIG_BLOCK, &signals, nil)
        self.curl = curl
        self.multi = multi
        self.cookies = cookies
        self.rules = rules
        self.folder = folder
        self.isCancelled = isCancelled
        self.reconnecting = reconnecting
    }

    deinit {
        for transfer in transfers.values { _ = curl.multi_remove_handle(multi, transfer.easy) }
        transfers.removeAll()
        _ = curl.multi_cleanup(multi)
        let code = curl.share_cleanup(cookies)
        assert(code == CURLSHE_OK, "a transfer has outlived its session")
    }

    /// Whether waits must end, because reading has failed for good, has been canceled or is past `deadline`.
    var isInterrupted: Bool { failure != nil || isCancelled() || deadline.map { HostTime.now() >= $0 } == true }

    /// Makes all further reading of the film fail with `failure`, unless an earlier failure is already recorded.
    func fail(_ failure: ResourceFailure) {
        guard failure != .interrupted else { return }
        if self.failure == nil { self.failure = failure }
        setReconnecting(false)
    }

    /// Records the result of reading a resource that a playlist refers to, such as a segment or a key. `failure` is nil
    /// if the reading succeeded. If `failure.endsFilm` is true, all further reading fails.
    func notePart(_ failure: ResourceFailure?) {
        guard failure != .interrupted else { return }
        partFailure = failure
        if let failure, failure.endsFilm { fail(failure) }
    }

    /// Records that a part was skipped because of `failure`. From a server, only a part that the server does not have is
    /// skipped: after other failures, it is requested again.
    func notePart(skipped failure: ResourceFailure) {
        guard isOpen, skipped == nil, failure != .interrupted, folder != nil || failure.isUnavailable else { return }
        skipped = failure
    }

    /// Returns why a part was skipped, once; nil if none was skipped since the last call.
    func takeSkipped() -> ResourceFailure? { skipped.take() }

    /// Clears all failures, so that reading can be tried again. Call when the user requests a retry.
    func forgetFailures() {
        failure = nil
        partFailure = nil
        trial += 1
    }

    /// Returns the key for the cost of a playlist that is about to be read. While the film is being opened, a playlist
    /// counts each time that it is read: it may refer to itself. Later, a live playlist is read repeatedly, but counts
    /// only once.
    func playlistKey(_ address: WebAddress) -> String {
        if isOpen { return address.text }
        openingCount += 1
        return "\(openingCount) \(address.text)"
    }

    /// Records the cost so far of the playlist with the key `key`.
    ///
    /// - Throws: `tooManyStreams` or `playlistTooLong` if all of the film's playlists together exceed the limits.
    func note(_ cost: PlaylistScanner.Cost, of key: String) throws(ResourceFailure) {
        guard playlists[key] ?? .init() != cost else { return }
        playlists[key] = cost
        let sum = playlists.values.reduce(.init(), +)
        if sum.streams > PlaylistScanner.Cost.mostStreams { throw .tooManyStreams }
        if sum.bytes > PlaylistScanner.Cost.mostBytes { throw .playlistTooLong }
    }

    /// Forgets the costs of all playlists but the film's own, which has the key `key`. Call before the film is opened
    /// again.
    func forgetPlaylists(except key: String) { playlists = playlists.filter { $0.key == key } }

    func setReconnecting(_ isReconnecting: Bool) {
        guard isReconnecting != self.isReconnecting else { return }
        self.isReconnecting = isReconnecting
        reconnecting(isReconnecting)
    }

    // MARK: - Transfers

    /// Starts a request. Behind a proxy, throws `leadsToLocal` if the referrer may not lead to the host, judged by the
    /// host's name.
    func begin(_ request: HTTPTransfer.Request) throws(ResourceFailure) -> HTTPTransfer {
        guard folder == nil else { throw .namesAddress(request.address.host) }
        let proxy = proxies.proxy(for: request.address)
        if proxy != nil, !request.referrer.mayLead(to: HTTPTransfer.zone(ofName: request.address.host, rules)) {
            throw .leadsToLocal(request.address.host)
        }
        let transfer = try HTTPTransfer(request, curl: curl, rules: rules, proxy: proxy, cookies: cookies)
        guard curl.multi_add_handle(multi, transfer.easy) == CURLM_OK else { throw .outOfMemory }
        transfers[transfer.easy] = transfer
        return transfer
    }

    /// Ends a transfer, whether or not it is complete. May be called repeatedly.
    func end(_ transfer: HTTPTransfer) {
        guard transfers.removeValue(forKey: transfer.easy) != nil else { return }
        endMeasurement(of: transfer)
        _ = curl.multi_remove_handle(multi, transfer.easy)
    }

    /// Runs all transfers until `isDone` returns true, or until `deadline`. Returns false if `deadline` comes first.
    ///
    /// - Throws: `interrupted` once `isInterrupted` is true.
    func run(until deadline: HostTime, _ isDone: () -> Bool) throws(ResourceFailure) -> Bool {
        let now = HostTime.now()
        for transfer in transfers.values {
            guard let since = transfer.measuredSince else { continue }
            if now - (transfer.lastWait ?? since) > Self.longestPause { endMeasurement(of: transfer) }
        }
        while true {
            if isInterrupted { throw .interrupted }
            perform()
            measure()
            if isDone() { return true }
            let left = deadline - .now()
            if left <= .zero { return false }
            wait(min(left, Self.attention))
        }
    }

    /// Waits for `duration` while transfers continue. Throws `interrupted` once `isInterrupted` is true.
    func pause(for duration: Duration) throws(ResourceFailure) { _ = try run(until: .now() + duration) { false } }

    private func wait(_ duration: Duration) {
        _ = curl.multi_poll(multi, nil, 0, CInt(duration.nanoseconds / 1_000_000) + 1, nil)
    }

    /// Measures the rate of each transfer from its request to its first pause or its end.
    private func measure() {
        let now = HostTime.now()
        for transfer in transfers.values where transfer.measuredSince != nil {
            transfer.lastWait = now
            if transfer.isPaused || transfer.result != nil { endMeasurement(of: transfer) }
        }
    }

    private func endMeasurement(of transfer: HTTPTransfer) {
        guard let since = transfer.measuredSince else { return }
        transfer.measuredSince = nil
        if let end = transfer.lastWait { meter.add(transfer.received, in: end - since) }
    }

    private func perform() {
        var running: CInt = 0
        _ = curl.multi_perform(multi, &running)
        var left: CInt = 0
        while let message = curl.multi_info_read(multi, &left) {
            guard message.pointee.msg == CURLMSG_DONE, let easy = message.pointee.easy_handle else { continue }
            transfers[easy]?.didEnd(glissade_curl_result(message))
        }
    }
}
