/// Decides how many free items a pool releases, so that the pool shrinks again after a brief peak in demand.
package struct PoolTrimmer {
    /// The number of items taken between two decisions. At 24 frames per second, this takes 2.5 s.
    package static let interval = 60

    /// The smallest number of free items since the last decision. This many items were never needed.
    private var fewest = Int.max
    private var taken = 0

    package init() {}

    /// Returns how many free items can be released. Call this each time an item has been taken from the pool or
    /// created. Every `interval`th call returns the number of items that were not needed since the last decision. All
    /// other calls return 0.
    ///
    /// - Parameter free: The number of items that are still free.
    package mutating func trimCount(afterTaking free: Int) -> Int {
        fewest = min(fewest, free)
        taken += 1
        guard taken >= Self.interval else { return 0 }
        defer { self = PoolTrimmer() }
        return fewest
    }
}
