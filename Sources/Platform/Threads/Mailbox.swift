import Synchronization

/// A queue of messages from background threads to a receiver, usually the main thread.
///
/// Threads: any thread may add and take messages. No call waits for messages.
package final class Mailbox<Message: Sendable>: Sendable {
    private let messages = Mutex<[Message]>([])
    private let limit: Int
    private let wake: @Sendable () -> Void

    /// Creates an empty queue.
    ///
    /// - Parameters:
    ///   - limit: The maximum number of waiting messages. Messages beyond the limit are dropped.
    ///   - wake: Wakes the receiver. Called on the thread that adds a message to an empty queue.
    package init(limit: Int = .max, wake: @escaping @Sendable () -> Void) {
        self.limit = limit
        self.wake = wake
    }

    /// Adds a message. Wakes the receiver if no other message was waiting.
    package func put(_ message: Message) { put(message) { _ in false } }

    /// Removes the waiting messages for which `isObsolete` returns true, and adds a message. Wakes the receiver if no
    /// message was waiting before.
    ///
    /// - Parameter isObsolete: Called while the lock is held.
    package func put(_ message: Message, replacing isObsolete: (Message) -> Bool) {
        let isFirst = messages.withLock { messages in
            let isFirst = messages.isEmpty
            messages.removeAll(where: isObsolete)
            if messages.count < limit { messages.append(message) }
            return isFirst
        }
        if isFirst { wake() }
    }

    /// Takes the oldest message; nil if no message is waiting.
    package func take() -> Message? { messages.withLock { $0.isEmpty ? nil : $0.removeFirst() } }

    /// Takes all waiting messages, oldest first.
    package func takeAll() -> [Message] {
        messages.withLock { messages in
            // Called for every frame, so an empty queue is not replaced.
            if messages.isEmpty { return [] }
            defer { messages = [] }
            return messages
        }
    }
}
