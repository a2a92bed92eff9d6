/// A first-in first-out queue of fixed capacity whose storage is allocated once.
struct Ring<Element: ~Copyable>: ~Copyable {
    private let storage: UnsafeMutablePointer<Element>
    private var head = 0
    private(set) var count = 0
    let capacity: Int

    init(capacity: Int) {
        self.capacity = capacity
        storage = .allocate(capacity: capacity)
    }

    deinit {
        for i in 0..<count { (storage + (head + i) % capacity).deinitialize(count: 1) }
        storage.deallocate()
    }

    var isEmpty: Bool { count == 0 }
    var isFull: Bool { count == capacity }

    /// Appends; the ring must not be full.
    mutating func append(_ element: consuming Element) {
        precondition(count < capacity, "append to a full ring")
        (storage + (head + count) % capacity).initialize(to: element)
        count += 1
    }

    mutating func popFirst() -> Element? {
        guard count > 0 else { return nil }
        let element = (storage + head).move()
        head = (head + 1) % capacity
        count -= 1
        return element
    }

    mutating func removeAll() {
        while count > 0 { _ = popFirst() }
    }

    /// Looks at the element at `index` from the front; nil past the end.
    func peek<R: ~Copyable>(at index: Int = 0, _ body: (borrowing Element) -> R) -> R? {
        guard index < count else { return nil }
        return body(storage[(head + index) % capacity])
    }
}
