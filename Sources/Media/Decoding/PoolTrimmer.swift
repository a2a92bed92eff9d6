/// How much of what a pool keeps is never needed: what was in use at once for a moment is not kept for good.
package struct PoolTrimmer {
    /// It is looked at after so many were taken: one to two seconds of most films.
    package static let patience = 60

    private var fewest = Int.max
    private var taken = 0

    package init() {}

    /// One was taken, or had to be made; `rest` are free after that.
    ///
    /// - Returns: how many of them can go.
    package mutating func took(leaving rest: Int) -> Int {
        fewest = min(fewest, rest)
        taken += 1
        guard taken >= Self.patience else { return 0 }
        defer { self = PoolTrimmer() }
        return fewest
    }
}
