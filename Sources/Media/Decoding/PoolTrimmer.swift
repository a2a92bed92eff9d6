/// Decides how many free items a pool can release, so that a brief peak in use is not kept for good.
package struct PoolTrimmer {
    /// The number of takes between decisions: one to two seconds of most films.
    package static let interval = 60

    private var fewest = Int.max
    private var taken = 0

    package init() {}

    /// Decides how many free items can be released. Call after an item was taken or made.
    ///
    /// - Parameter free: the number of items that remain free.
    /// - Returns: how many of those can be released.
    package mutating func trimCount(afterTaking free: Int) -> Int {
        fewest = min(fewest, free)
        taken += 1
        guard taken >= Self.interval else { return 0 }
        defer { self = PoolTrimmer() }
        return fewest
    }
}
