import GlissadePlatform
import GlissadeTime

/// Reads a file on a web server from any position. After a lost connection, a file that has not changed is resumed at
/// the same position. A live stream continues with new data.
///
/// Threads: confined to its session's thread. Opening and reading block until there is data, an error or a
/// cancellation.
final class HTTPReader: ResourceReader {
    private let session: ResourceSession
    /// The URL that is being read, after redirects.
    private(set) var address: WebAddress
    /// The source of `address`.
    private var referrer: Referrer
    /// The URL that was requested, and its source. If the target of a redirect expires, this URL is requested again.
    private var original: (address: WebAddress, referrer: Referrer)
    /// Whether the user requested the file. False if a playlist refers to the file.
    private let isNamedByUser: Bool
    /// Whether the file is part of a playlist: a segment, a key or another playlist.
    private let isPart: Bool
    /// The offset of the first byte of the range to read.
    private let start: Int64
    /// The offset of the next byte to read, relative to the start of the file.
    private(set) var position: Int64
    /// The offset after the last byte of the range to read; nil if the range extends to the end of the file.
    private let end: Int64?
    private var transfer: HTTPTransfer?
    /// The number of bytes that the transfer still has to skip to reach `position`.
    private var skipped: Int64 = 0
    /// The head of the first response, and the URL that sent it; nil before that head arrives.
    private var first: (head: HTTPHead, address: WebAddress)?
    /// The size of the whole file in bytes; nil if unknown.
    private(set) var size: Int64?
    /// Whether the server can start at any offset.
    private(set) var isSeekable = false
    /// Whether the end of the data is certain. False if the data ended only because the server closed the connection.
    private(set) var hasSureEnd = true
    private var schedule: RetrySchedule
    /// The value of `session.trial` when `schedule` was created.
    private var trial: Int
    private var scanner: PlaylistScanner
    let playlistKey: String
    /// Whether FFmpeg has recognized the file as a playlist.
    private var isPlaylist = false
    /// Whether the container specifies a duration.
    var isTimed = false

    private static let mostRedirections = 10
    /// The maximum number of bytes to download again if a server can send a file only from the beginning.
    private static let mostRepeated: Int64 = 64 << 20
    /// The longest forward seek, in bytes, that skips data instead of sending a new request. Bytes that have already
    /// arrived do not count.
    private static let nearBytes: Int64 = 256 << 10
    /// The largest accepted offset in a file.
    static let farthest: Int64 = 1 << 62

    var contentType: String? { first?.head.contentType }

    /// Requests a file, and waits for the head of the response.
    ///
    /// - Parameters:
    ///   - isPart: Whether the file is part of a playlist.
    ///   - start, end: The offsets of the range to read, excluding the byte at `end`. If `end` is nil, the range
    ///     extends to the end of the file.
    init(
        _ address: WebAddress, session: ResourceSession, isPart: Bool, start: Int64 = 0, end: Int64? = nil
    ) throws(ResourceFailure) {
        self.session = session
        self.address = address
        self.isPart = isPart
        referrer = session.referrer
        original = (address, session.referrer)
        isNamedByUser = session.referrer == .user
        self.start = start
        position = start
        self.end = end
        schedule = RetrySchedule(pauses: session.rules.pauses)
        trial = session.trial
        scanner = PlaylistScanner(addressBytes: address.text.utf8.count)
        playlistKey = session.playlistKey(address)
        do throws(ResourceFailure) {
            while true {
                do throws(ResourceFailure) {
                    try connect()
                    break
                } catch {
                    // Only requests for parts are retried, and only once the film is open. Other failures are
                    // reported at once.
                    guard isPart, session.isOpen else { throw error }
                    try recover(from: error)
                }
            }
        } catch {
            if isPart { session.notePart(error) }
            throw error
        }
    }

    // The transfer uses the session, so the transfer must end first.
    deinit { drop() }

    /// Applies the length limit for playlists to this file. Call when FFmpeg recognizes the file as a playlist, even if
    /// `scanner` has not.
    func didFindPlaylist() { isPlaylist = true }

    // MARK: - Reading

    /// Reads bytes into `target`, and waits until there are some. Returns the number of bytes read; 0 at the end of the
    /// range or file, or if `target` is empty. Reconnects if the connection is lost.
    func read(into target: UnsafeMutableRawBufferPointer) throws(ResourceFailure) -> Int {
        guard !target.isEmpty else { return 0 }
        while true {
            do throws(ResourceFailure) {
                let count = try receive(target)
                if count > 0 { try took(count, UnsafeRawBufferPointer(target)) }
                return count
            } catch {
                if error != .interrupted { drop() }
                try recover(from: error)
            }
        }
    }

    /// Sets the offset of the next read. Sends no request. Returns false if the offset is out of range.
    func seek(to place: Int64) -> Bool {
        guard (0...Self.farthest).contains(place) else { return false }
        guard place != position else { return true }
        let ahead = place - position
        if let transfer, ahead > 0, skipped == 0, ahead <= Int64(transfer.waiting) + Self.nearBytes {
            skipped = ahead
        } else {
            drop()
        }
        position = place
        return true
    }

    private func drop() {
        if let transfer { session.end(transfer) }
        transfer = nil
        skipped = 0
    }

    private func receive(_ target: UnsafeMutableRawBufferPointer) throws(ResourceFailure) -> Int {
        let limit = min(size ?? Self.farthest, end ?? Self.farthest, Self.farthest)
        if position >= limit { return 0 }
        if transfer == nil { try connect() }
        while let transfer {
            if skipped > 0 {
                let count = min(Int64(transfer.waiting), skipped)
                transfer.drop(Int(count))
                skipped -= count
            }
            if skipped == 0, transfer.waiting > 0 {
                let room = Int(min(Int64(target.count), limit - position))
                return transfer.read(into: UnsafeMutableRawBufferPointer(rebasing: target[..<room]))
            }
            if transfer.result != nil {
                guard isCutShort(transfer) else { return try ended(transfer) }
                drop()
                try connect()
                continue
            }
            let deadline = HostTime.now() + session.rules.stallTimeout
            guard try session.run(until: deadline, { transfer.waiting > 0 || transfer.result != nil }) else {
                throw .stalled
            }
        }
        return 0
    }

    /// Whether the server announced a shorter range than was requested, and has delivered that whole range. Some
    /// servers send at most a megabyte per response.
    private func isCutShort(_ transfer: HTTPTransfer) -> Bool {
        guard transfer.failure == nil, transfer.head.status == 206, let size,
            let last = transfer.head.contentRange?.last
        else { return false }
        return last == position - skipped - 1 && position < min(size, end ?? size)
    }

    private func ended(_ transfer: HTTPTransfer) throws(ResourceFailure) -> Int {
        if let failure = transfer.failure { throw failure }
        // The connection of an endless stream was lost, or the body is incomplete.
        if transfer.head.isRadio, !isPart, !isTimed { throw .closed }
        if let size, position < min(size, end ?? size) { throw .closed }
        hasSureEnd = transfer.head.isDelimited
        return 0
    }

    private func took(_ count: Int, _ bytes: UnsafeRawBufferPointer) throws(ResourceFailure) {
        scanner.take(UnsafeRawBufferPointer(rebasing: bytes[..<count]), at: position - start)
        position += Int64(count)
        if let kind = scanner.kind {
            // From here on, all URLs come from a playlist on the Internet.
            if isPart, transfer?.zone == .global { session.referrer = .host(.global) }
            if scanner.taken > kind.mostBytes { throw .playlistTooLong }
            try session.note(scanner.cost, of: playlistKey)
        } else if isPlaylist, position > PlaylistScanner.Kind.xml.mostBytes {
            throw .playlistTooLong
        }
        if schedule.hasFailed { schedule.received(count, at: .now()) }
        session.setReconnecting(false)
        if isPart { session.notePart(nil) }
    }

    // MARK: - Connecting

    /// Waits until the next attempt to connect is due. Throws an error if there are no further attempts, or if reading
    /// is interrupted.
    private func recover(from error: ResourceFailure) throws(ResourceFailure) {
        if error == .interrupted { throw error }
        if trial != session.trial {
            (trial, schedule) = (session.trial, RetrySchedule(pauses: session.rules.pauses))
            // The user has requested this retry, and may open any host, even one that has moved to a local network.
            if isNamedByUser { original.referrer = .user }
        }
        let timeout = session.isOpen ? session.rules.reconnectTimeout : session.rules.openingTimeout
        let isRetriable = error.isRetriable && !(isPart && error.isUnavailable)
        let canGoOn = first.map { isEndless($0.head) } == true || isPart || isSeekable || position <= Self.mostRepeated
        guard isRetriable, canGoOn, let pause = schedule.failed(at: .now(), timeout: timeout) else {
            if isPart { session.notePart(error) }
            if isRetriable || !isPart { session.fail(error) }
            throw error
        }
        session.setReconnecting(true)
        try session.pause(for: pause)
    }

    /// Requests the file from `position` on, follows redirects, and waits for the head of the response.
    private func connect() throws(ResourceFailure) {
        do throws(ResourceFailure) {
            try follow()
        } catch {
            // The target of a redirect may have expired: start over from the requested URL.
            guard case .status(let code, _) = error, code < 500, address != original.address else { throw error }
            (address, referrer) = original
            try follow()
        }
    }

    private func follow() throws(ResourceFailure) {
        for _ in 0...Self.mostRedirections {
            let range = "\(position)-\(end.map { String($0 - 1) } ?? "")"
            let transfer = try session.begin(.init(address: address, referrer: referrer, range: range))
            do throws(ResourceFailure) {
                let deadline = HostTime.now() + session.rules.answerTimeout
                guard try session.run(until: deadline, { transfer.isAnswered }) else {
                    throw .noAnswer(host: address.host)
                }
                let head = transfer.head
                // From now on, this host must stay on the Internet, because its name may later resolve to a local
                // address.
                if head.isAnswer, transfer.zone == .global, address == original.address {
                    original.referrer = .host(.global)
                }
                if head.isAnswer, head.isRedirection, let location = head.location {
                    guard let next = address.resolving(location) else { throw .badRedirection }
                    (address, referrer) = (next, .host(transfer.zone))
                    session.end(transfer)
                    continue
                }
                if head.isAnswer, head.status >= 300 { return try refused(transfer) }
                // If the connection closed after the head arrived, the data must still be read.
                guard head.isAnswer else { throw transfer.failure ?? .notHTTP }
                try accept(transfer)
                return
            } catch {
                session.end(transfer)
                throw error
            }
        }
        throw .tooManyRedirections
    }

    private func refused(_ transfer: HTTPTransfer) throws(ResourceFailure) {
        let head = transfer.head
        session.end(transfer)
        // The file ends at `position`, even if a different size was given before.
        if head.status == 416, position == 0 || first != nil && head.contentRange?.total == position {
            size = position
            return
        }
        throw head.status == 416 && first != nil ? .notResumable : .status(head.status, head.reason)
    }

    private func accept(_ transfer: HTTPTransfer) throws(ResourceFailure) {
        let head = transfer.head
        let isEndless = isEndless(first?.head ?? head)
        var total: Int64?
        var repeated: Int64 = 0
        if head.status == 206 {
            let range = head.contentRange
            // A response without an offset can only start at 0.
            guard range?.start ?? 0 == position else { throw .notResumable }
            total = range?.total
        } else {
            total = head.contentLength
            if !isEndless { repeated = position }
            guard repeated <= Self.mostRepeated else { throw .notResumable }
        }
        if let first, !isEndless {
            if let size, let total, size != total { throw .changed }
            // Mirrors may have different tags for the same file.
            let isCopy = total != nil && total == size && (address != first.address || head.isAsOld(as: first.head))
            if !head.isSameContent(as: first.head), !isCopy { throw .changed }
        }
        if first == nil {
            first = (head, address)
            isSeekable = head.takesRanges
            if !isPart { session.referrer = .host(transfer.zone) }
        }
        if transfer.zone == .global { referrer = .host(.global) }
        if let total { size = total }
        skipped = repeated
        self.transfer = transfer
    }

    /// Whether a response is a live stream. Internet radio counts as live. A response that shows no sign of being a
    /// stored file (`HTTPHead.isUnmarked`) also counts, but only once the container is open. Parts of a playlist, and
    /// media with a declared duration, never count.
    private func isEndless(_ head: HTTPHead) -> Bool {
        !isPart && !isTimed && (head.isRadio || head.isUnmarked && session.isOpen)
    }
}
