import CCURL
import Glibc
import Platform
import Time

/// What is read from web servers for one film: its connections, who may lead where, and what became of it.
///
/// On the demuxer's thread; nothing runs while nothing is read.
///
/// Why libcurl, where FFmpeg speaks HTTP as well: FFmpeg resolves names and follows redirections by itself, up to version 7
/// without an option against it, so nobody outside can judge a host before it is called; it does not verify certificates
/// unless told to, and then by a list that depends on how it was built; and after a loss it cannot tell whether what it goes on
/// with is the same file. Through libcurl each connection is judged by the very address that it is about to be made to, which
/// holds for redirections, for what playlists name, and for names that resolve to something else the second time.
///
/// Threads: confined to the thread that reads the media; libcurl calls back on it. Reading blocks, and asks
/// `isCancelled` meanwhile.
final class HTTPSession {
    let rules: NetworkRules
    private let curl: GlissadeCurl
    private let multi: UnsafeMutableRawPointer
    /// Servers of playlists mark by cookies who may have their parts.
    private let cookies: UnsafeMutableRawPointer
    private let proxies = ProxySettings()
    private var transfers: [UnsafeMutableRawPointer: HTTPTransfer] = [:]
    private let isCancelled: () -> Bool
    private let reconnecting: (Bool) -> Void

    /// Who names what is opened next: the user, then what he opened, then each playlist on the Internet. One of those is not led
    /// back to private networks by anything, even where one at home has named it.
    var referrer = Referrer.user
    /// Whether the film is open: what fails before is said at once, and what fails later is tried again.
    var isOpen = false
    /// Why the film cannot be read on; it stays until another attempt is asked for.
    private(set) var failure: HTTPFailure?
    /// The last of its parts could not be had; nil since one could.
    private(set) var partFailure: HTTPFailure?
    private var isReconnecting = false
    /// How often it was asked to try again what had failed.
    private(set) var trial = 0
    /// What FFmpeg keeps of each playlist, by its address: that of a live one is read again and again.
    private var playlists: [String: PlaylistScanner.Cost] = [:]

    /// How often it is asked whether to go on: as soon as a person would notice.
    private static let attention = Duration.milliseconds(40)

    /// - Parameters:
    ///   - isCancelled: asked while it waits; true ends that.
    ///   - reconnecting: told when a connection was lost, and when it is there again.
    init(rules: NetworkRules, isCancelled: @escaping () -> Bool, reconnecting: @escaping (Bool) -> Void)
        throws(HTTPFailure)
    {
        guard let curl = Curl.library else { throw .noLibrary }
        guard let multi = curl.multi_init() else { throw .outOfMemory }
        guard let cookies = curl.share_init() else {
            _ = curl.multi_cleanup(multi)
            throw .outOfMemory
        }
        glissade_curl_share_cookies(curl, cookies)
        // Of a connection that the other side has closed, encrypted writes tell by this signal, which would end the program.
        var signals = sigset_t()
        sigemptyset(&signals)
        sigaddset(&signals, SIGPIPE)
        pthread_sigmask(SIG_BLOCK, &signals, nil)
        self.curl = curl
        self.multi = multi
        self.cookies = cookies
        self.rules = rules
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

    var isInterrupted: Bool { failure != nil || isCancelled() }

    /// Nothing more of the film is read.
    func fail(_ failure: HTTPFailure) {
        guard failure != .interrupted else { return }
        if self.failure == nil { self.failure = failure }
        setReconnecting(false)
    }

    /// A part of the film could not be had, or could.
    func notePart(_ failure: HTTPFailure?) {
        guard failure != .interrupted else { return }
        partFailure = failure
        if let failure, failure.endsFilm { fail(failure) }
    }

    /// What failed is tried again.
    func forgetFailures() {
        failure = nil
        partFailure = nil
        trial += 1
    }

    /// Notes what the playlist at `address` costs so far.
    ///
    /// - Throws: where all of the film's cost too much.
    func note(_ cost: PlaylistScanner.Cost, of address: WebAddress) throws(HTTPFailure) {
        guard playlists[address.text] ?? .init() != cost else { return }
        playlists[address.text] = cost
        let sum = playlists.values.reduce(.init(), +)
        if sum.streams > PlaylistScanner.Cost.mostStreams { throw .tooManyStreams }
        if sum.bytes > PlaylistScanner.Cost.mostBytes { throw .playlistTooLong }
    }

    func setReconnecting(_ isReconnecting: Bool) {
        guard isReconnecting != self.isReconnecting else { return }
        self.isReconnecting = isReconnecting
        reconnecting(isReconnecting)
    }

    // MARK: - Transfers

    func begin(_ request: HTTPTransfer.Request) throws(HTTPFailure) -> HTTPTransfer {
        let proxy = proxies.proxy(for: request.address)
        if proxy != nil, !request.referrer.mayLead(to: HTTPTransfer.zone(ofName: request.address.host, rules)) {
            throw .leadsToLocal(request.address.host)
        }
        let transfer = try HTTPTransfer(request, curl: curl, rules: rules, proxy: proxy, cookies: cookies)
        guard curl.multi_add_handle(multi, transfer.easy) == CURLM_OK else { throw .outOfMemory }
        transfers[transfer.easy] = transfer
        return transfer
    }

    func end(_ transfer: HTTPTransfer) {
        guard transfers.removeValue(forKey: transfer.easy) != nil else { return }
        _ = curl.multi_remove_handle(multi, transfer.easy)
    }

    /// Has transfers go on until `isDone`; false where that did not come by `deadline`.
    func run(until deadline: HostTime, _ isDone: () -> Bool) throws(HTTPFailure) -> Bool {
        while true {
            if isInterrupted { throw .interrupted }
            perform()
            if isDone() { return true }
            let left = deadline - .now()
            if left <= .zero { return false }
            wait(min(left, Self.attention))
        }
    }

    /// Waits, with nothing to wait for.
    func pause(for duration: Duration) throws(HTTPFailure) { _ = try run(until: .now() + duration) { false } }

    private func wait(_ duration: Duration) {
        _ = curl.multi_poll(multi, nil, 0, CInt(duration.nanoseconds / 1_000_000) + 1, nil)
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
