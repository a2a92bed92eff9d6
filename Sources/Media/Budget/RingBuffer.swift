/// A queue of fixed capacity, usually first-in, first-out. Its storage is allocated once.
package struct RingBuffer<Element: ~Copyable>: ~Copyable {
    private let storage: UnsafeMutablePointer<Element>
    private var head = 0
    package private(set) var count = 0
    package let capacity: Int

    package init(capacity: Int) {
        self.capacity = capacity
        storage = .allocate(capacity: capacity)
    }

    deinit {
        for i in 0..<count { (storage + (head + i) % capacity).deinitialize(count: 1) }
        storage.deallocate()
    }

    package var isEmpty: Bool { count == 0 }
    package var isFull: Bool { count == capacity }

    /// Appends an element. The buffer must not be full.
    package mutating func append(_ element: consuming Element) {
        precondition(count < capacity, "append to a full ring")
        (storage + (head + count) % capacity).initialize(to: element)
        count += 1
    }

    /// Removes and returns the first element; nil if the buffer is empty.
    package mutating func popFirst() -> Element? {
        guard count > 0 else { return nil }
        let element = (storage + head).move()
        head = (head + 1) % capacity
        count -= 1
        return element
    }

    /// Removes and returns the last element; nil if the buffer is empty.
    package mutating func popLast() -> Element? {
        guard count > 0 else { return nil }
        count -= 1
        return (storage + (head + count) % capacity).move()
    }

    package mutating func removeAll() {
        while count > 0 { _ = popFirst() }
    }

    /// Calls `body` with the element at `index`, counted from the front, and returns the result of `body`. Returns nil
    /// if there is no such element.
    package func peek<R: ~Copyable>(at index: Int = 0, _ body: (borrowing Element) -> R) -> R? {
        guard index >= 0, index < count else { return nil }
        return body(storage[(head + index) % capacity])
    }
}
