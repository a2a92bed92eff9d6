import GlissadeTime

/// What the demuxer is doing, and what it has been asked to do and has not begun yet.
///
/// Reads no clock: the time is passed in.
///
/// Threads: protected by the lock of `PacketBuffer`.
struct DemuxerOrders {
    /// What the demuxer is doing in the current generation.
    enum Reading: Hashable {
        case active
        /// Waiting to connect to a server again.
        case reconnecting
        /// Reading nothing until a seek, because a scrub preview has enough packets or a variant waits for that seek.
        case resting
        /// At the end of the media. Nothing more is pushed in this generation.
        case ended
        /// The connection is lost, for the given reason. Nothing is read until a seek or a retry.
        case lost(reason: String)
    }

    private(set) var reading = Reading.active
    /// The waiting orders, at most one of each kind, in the order in which they are carried out. `stop` remains alone.
    private var waiting: [PacketBuffer.Order] = []

    /// Whether the demuxer must abort what it is doing: a seek is waiting, or everything ends.
    var isInterrupted: Bool {
        switch waiting.first {
        case .stop, .seek: true
        default: false
        }
    }

    /// Whether the buffer has been stopped.
    var isStopped: Bool { if case .stop = waiting.first { true } else { false } }

    /// Whether a seek is waiting.
    var isSeeking: Bool { if case .seek = waiting.first { true } else { false } }

    /// Whether a change of variant is waiting.
    var hasVariant: Bool { if case .variant = waiting.last { true } else { false } }

    /// Whether the demuxer has reached the end.
    var hasEnded: Bool { reading == .ended }

    /// Whether the demuxer will read nothing more before a seek, except for a lost connection.
    var isDone: Bool { reading == .ended || reading == .resting }

    /// Whether packets can be read now.
    var canRead: Bool { reading == .active || reading == .reconnecting }

    /// The reason why the connection is lost; nil if it is not.
    var loss: String? { if case .lost(let reason) = reading { reason } else { nil } }

    // MARK: - Orders

    /// Adds an order. It replaces an earlier one of its kind. After `stop`, there are no others.
    mutating func add(_ order: PacketBuffer.Order) {
        guard !isStopped else { return }
        switch order {
        case .read: return
        case .stop: waiting = [.stop]
        case .seek, .retry, .select, .variant:
            if loss != nil, order.endsLoss { reading = .active }
            waiting.removeAll { $0.urgency == order.urgency }
            waiting.insert(order, at: waiting.firstIndex { $0.urgency > order.urgency } ?? waiting.endIndex)
        }
    }

    /// Takes the most urgent order; nil if there is none, or if it must wait. `stop` is returned again and again.
    ///
    /// - Parameter isDue: Whether to change the variant. Its argument is the time from which on the change must not
    ///   wait any longer.
    mutating func take(isDue: (HostTime) -> Bool) -> PacketBuffer.Order? {
        switch waiting.first {
        case nil: return nil
        case .stop: return .stop
        case .variant(_, let deadline) where !isDue(deadline): return nil
        case let order?:
            waiting.removeFirst()
            switch order {
            case .seek: reading = .active
            case .retry where loss != nil: reading = .active
            default: break
            }
            return order
        }
    }

    // MARK: - The demuxer's reports

    /// The demuxer has reached the end of the media.
    mutating func end() { reading = .ended }

    /// The end no longer counts: the packets of another variant follow.
    mutating func continueAfterEnd() { if reading == .ended { reading = .active } }

    /// The connection is lost. Has no effect unless the demuxer was reading.
    mutating func lose(_ reason: String) { if canRead { reading = .lost(reason: reason) } }

    /// Sets whether the demuxer rests. Has no effect at the end, or after a lost connection.
    mutating func rest(_ rests: Bool) {
        if rests, canRead { reading = .resting } else if !rests, reading == .resting { reading = .active }
    }

    /// Sets whether the demuxer waits to connect again. Has no effect unless it was reading.
    mutating func setReconnecting(_ isReconnecting: Bool) {
        if canRead { reading = isReconnecting ? .reconnecting : .active }
    }
}

extension PacketBuffer.Order {
    /// The place among waiting orders; the smallest number comes first. Equal for orders of the same kind.
    fileprivate var urgency: Int {
        switch self {
        case .stop: 0
        case .seek: 1
        case .retry: 2
        case .select: 3
        case .variant: 4
        case .read: 5
        }
    }

    /// Whether the order makes the demuxer read again after a lost connection.
    fileprivate var endsLoss: Bool {
        switch self {
        case .seek, .retry: true
        case .stop, .select, .variant, .read: false
        }
    }
}
