import Synchronization

/// Messages from background threads to the one that takes them, usually the main thread.
///
/// Threads: any thread adds messages, and any thread takes them. Neither waits; the lock is held while the waiting
/// messages are scanned.
public final class Mailbox<Message: Sendable>: Sendable {
    private let messages = Mutex<[Message]>([])
    private let limit: Int
    private let wake: @Sendable () -> Void

    /// - Parameters:
    ///   - limit: The most messages that wait; further ones are dropped.
    ///   - wake: Called on the adding thread when there is something to take.
    public init(limit: Int = .max, wake: @escaping @Sendable () -> Void) {
        self.limit = limit
        self.wake = wake
    }

    /// Adds a message. Wakes the receiver if no other was waiting.
    public func put(_ message: Message) { put(message) { _ in false } }

    /// Adds a message in place of all waiting ones that `isObsolete` selects. Wakes the receiver if none was waiting.
    ///
    /// - Parameter isObsolete: Called with the lock held.
    public func put(_ message: Message, replacing isObsolete: (Message) -> Bool) {
        let isFirst = messages.withLock { messages in
            let isFirst = messages.isEmpty
            messages.removeAll(where: isObsolete)
            if messages.count < limit { messages.append(message) }
            return isFirst
        }
        if isFirst { wake() }
    }

    /// Takes the oldest message; nil if none is waiting.
    public func take() -> Message? { messages.withLock { $0.isEmpty ? nil : $0.removeFirst() } }

    /// Takes all messages, the oldest first.
    public func takeAll() -> [Message] {
        messages.withLock { messages in
            // An empty array is not assigned: this is called for every frame.
            if messages.isEmpty { return [] }
            defer { messages = [] }
            return messages
        }
    }
}
