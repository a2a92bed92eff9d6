import Synchronization

/// A queue of messages from background threads to a receiver, usually the main thread.
///
/// Threads: any thread may add and take messages. No call waits for messages; the lock is held only while the queue
/// is changed.
public final class Mailbox<Message: Sendable>: Sendable {
    private let messages = Mutex<[Message]>([])
    private let limit: Int
    private let wake: @Sendable () -> Void

    /// Creates an empty queue.
    ///
    /// - Parameters:
    ///   - limit: The maximum number of waiting messages. Further messages are dropped.
    ///   - wake: Wakes the receiver. Called on the adding thread when a message arrives in an empty queue.
    public init(limit: Int = .max, wake: @escaping @Sendable () -> Void) {
        self.limit = limit
        self.wake = wake
    }

    /// Adds a message. Wakes the receiver if no message was waiting.
    public func put(_ message: Message) { put(message) { _ in false } }

    /// Adds a message and removes the waiting messages that `isObsolete` selects. Wakes the receiver if no message
    /// was waiting.
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

    /// Takes all messages, oldest first.
    public func takeAll() -> [Message] {
        messages.withLock { messages in
            // Called for every frame, so an empty queue is not replaced.
            if messages.isEmpty { return [] }
            defer { messages = [] }
            return messages
        }
    }
}
