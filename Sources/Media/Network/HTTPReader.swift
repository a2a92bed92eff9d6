import Platform
import Time

/// A file on a web server, read from any place in it. A lost connection is taken up again where it was, if what is there is
/// still the same file. On its session's thread.
///
/// Threads: confined to its session's thread. Opening and reading block until data, an error or cancellation.
final class HTTPReader {
    private let session: HTTPSession
    /// Where it was found in the end, and who led there.
    private(set) var address: WebAddress
    private var referrer: Referrer
    /// What was asked for; where the place that it led to is gone, it may lead to another.
    private var original: (address: WebAddress, referrer: Referrer)
    private let isNamedByUser: Bool
    private let isPart: Bool
    /// Of its first byte.
    private let start: Int64
    /// Of the byte that is read next.
    private(set) var position: Int64
    /// Nothing is read from here on; nil where the file ends.
    private let end: Int64?
    private var transfer: HTTPTransfer?
    /// Bytes of the transfer ahead of `position`.
    private var skipped: Int64 = 0
    /// The first answer, and who gave it; nil before.
    private var first: (head: HTTPHead, address: WebAddress)?
    /// Of the whole file; nil where nobody knows.
    private(set) var size: Int64?
    private(set) var isSeekable = false
    /// Whether what the server called the end came as one, and not as a connection that was closed.
    private(set) var hasSureEnd = true
    private var schedule: RetrySchedule
    /// Of the session when `schedule` began.
    private var trial: Int
    private var scanner: PlaylistScanner
    /// Whether FFmpeg takes it for a playlist.
    private var isPlaylist = false
    /// Whether the container tells how long the film is: then it is no broadcast.
    var isTimed = false

    private static let mostRedirections = 10
    /// Where a server cannot begin in the middle, so much is read again at most.
    private static let mostRepeated: Int64 = 64 << 20
    /// It is read on to a place so near; a new request would take longer.
    private static let nearBytes: Int64 = 256 << 10
    /// No file is longer, and no place in one is further on.
    static let farthest: Int64 = 1 << 62

    var contentType: String? { first?.head.contentType }

    /// Asks for a file and waits for the answer.
    ///
    /// - Parameters:
    ///   - isPart: whether a playlist names it.
    ///   - start, end: which part of it; it is named by places in the whole all the same.
    init(
        _ address: WebAddress, session: HTTPSession, isPart: Bool, start: Int64 = 0, end: Int64? = nil
    ) throws(HTTPFailure) {
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
        do throws(HTTPFailure) {
            while true {
                do throws(HTTPFailure) {
                    try connect()
                    break
                } catch {
                    // The film itself: what is wrong with its address is said at once.
                    guard isPart, session.isOpen else { throw error }
                    try recover(from: error)
                }
            }
        } catch {
            if isPart { session.notePart(error) }
            throw error
        }
    }

    // The transfer goes before the session, which it uses.
    deinit { drop() }

    /// FFmpeg takes it for a playlist, whatever its first bytes are.
    func didFindPlaylist() { isPlaylist = true }

    // MARK: - Reading

    /// Reads some bytes; 0 at the end.
    func read(into target: UnsafeMutableRawBufferPointer) throws(HTTPFailure) -> Int {
        guard !target.isEmpty else { return 0 }
        while true {
            do throws(HTTPFailure) {
                let count = try receive(target)
                if count > 0 { try took(count, UnsafeRawBufferPointer(target)) }
                return count
            } catch {
                if error != .interrupted { drop() }
                try recover(from: error)
            }
        }
    }

    /// Goes to another place in it; nothing is asked for before it is read. False where no file has such a place.
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

    private func receive(_ target: UnsafeMutableRawBufferPointer) throws(HTTPFailure) -> Int {
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
            let deadline = HostTime.now() + session.rules.stallPatience
            guard try session.run(until: deadline, { transfer.waiting > 0 || transfer.result != nil }) else {
                throw .stalled
            }
        }
        return 0
    }

    /// Whether the server gave less at once than was asked for, said so, and has kept its word: some give a megabyte at most.
    private func isCutShort(_ transfer: HTTPTransfer) -> Bool {
        guard transfer.failure == nil, transfer.head.status == 206, let size,
            let last = transfer.head.contentRange?.last
        else { return false }
        return last == position - skipped - 1 && position < min(size, end ?? size)
    }

    private func ended(_ transfer: HTTPTransfer) throws(HTTPFailure) -> Int {
        if let failure = transfer.failure { throw failure }
        // A connection that is lost between two answers of one that never ends, or before all of it has come.
        if transfer.head.isRadio, !isPart, !isTimed { throw .closed }
        if let size, position < min(size, end ?? size) { throw .closed }
        hasSureEnd = transfer.head.isDelimited
        return 0
    }

    private func took(_ count: Int, _ bytes: UnsafeRawBufferPointer) throws(HTTPFailure) {
        scanner.take(UnsafeRawBufferPointer(rebasing: bytes[..<count]), at: position - start)
        position += Int64(count)
        if let kind = scanner.kind {
            // From here on, what is named is named by a host on the Internet.
            if isPart, transfer?.zone == .global { session.referrer = .host(.global) }
            if scanner.taken > kind.mostBytes { throw .playlistTooLong }
            // A part is no list of DASH, whatever it looks like.
            if !isPart || kind == .hls { try session.note(scanner.cost, of: original.address) }
        } else if isPlaylist, position > PlaylistScanner.Kind.xml.mostBytes {
            throw .playlistTooLong
        }
        if schedule.hasFailed { schedule.received(count, at: .now()) }
        session.setReconnecting(false)
        if isPart { session.notePart(nil) }
    }

    // MARK: - Connecting

    /// Waits for the next attempt after `error`, or throws what there is to say.
    private func recover(from error: HTTPFailure) throws(HTTPFailure) {
        if error == .interrupted { throw error }
        if trial != session.trial {
            (trial, schedule) = (session.trial, RetrySchedule(pauses: session.rules.pauses))
            // The user asks for it again, who may go anywhere: a host may have come home, too.
            if isNamedByUser { original.referrer = .user }
        }
        let patience = session.isOpen ? session.rules.reconnectPatience : session.rules.openingPatience
        let isRetriable = error.isRetriable && !(isPart && error.isStatus)
        let canGoOn = first.map { isEndless($0.head) } == true || isPart || isSeekable || position <= Self.mostRepeated
        guard isRetriable, canGoOn, let pause = schedule.failed(at: .now(), patience: patience) else {
            if isPart { session.notePart(error) }
            if isRetriable || !isPart { session.fail(error) }
            throw error
        }
        session.setReconnecting(true)
        try session.pause(for: pause)
    }

    /// Asks for what is at `position`, through all redirections, and waits for the head of the answer.
    private func connect() throws(HTTPFailure) {
        do throws(HTTPFailure) {
            try follow()
        } catch {
            // The place that it led to was good for a while only.
            guard case .status(let code, _) = error, code < 500, address != original.address else { throw error }
            (address, referrer) = original
            try follow()
        }
    }

    private func follow() throws(HTTPFailure) {
        for _ in 0...Self.mostRedirections {
            let range = "\(position)-\(end.map { String($0 - 1) } ?? "")"
            let transfer = try session.begin(.init(address: address, referrer: referrer, range: range))
            do throws(HTTPFailure) {
                let deadline = HostTime.now() + session.rules.answerPatience
                guard try session.run(until: deadline, { transfer.isAnswered }) else {
                    throw .noAnswer(host: address.host)
                }
                let head = transfer.head
                // What was on the Internet once is not at home another time: its name may lead there by then.
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
                // What came before a connection was closed is read first.
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

    private func refused(_ transfer: HTTPTransfer) throws(HTTPFailure) {
        let head = transfer.head
        session.end(transfer)
        // Nothing is there from `position` on: the file is as long as it says now, whatever it said before.
        if head.status == 416, position == 0 || first != nil && head.contentRange?.total == position {
            size = position
            return
        }
        throw head.status == 416 && first != nil ? .notResumable : .status(head.status, head.reason)
    }

    private func accept(_ transfer: HTTPTransfer) throws(HTTPFailure) {
        let head = transfer.head
        let isEndless = isEndless(first?.head ?? head)
        var total: Int64?
        var repeated: Int64 = 0
        if head.status == 206 {
            let range = head.contentRange
            // What does not say where it begins can only be the beginning.
            guard range?.start ?? 0 == position else { throw .notResumable }
            total = range?.total
        } else {
            total = head.contentLength
            if !isEndless { repeated = position }
            guard repeated <= Self.mostRepeated else { throw .notResumable }
        }
        if let first, !isEndless {
            if let size, let total, size != total { throw .changed }
            // Each of several servers may have a tag of its own for the same file.
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

    /// Whether what comes after a loss follows on what was lost, as in a broadcast. Before it is open, nobody knows whether a
    /// container tells how long it is.
    private func isEndless(_ head: HTTPHead) -> Bool {
        !isPart && !isTimed && (head.isRadio || head.isUnmarked && session.isOpen)
    }
}
