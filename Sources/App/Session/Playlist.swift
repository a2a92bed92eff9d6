/// A list of media and its current entry.
struct Playlist: Hashable {
    /// The paths and URLs of the media.
    private(set) var locations: [String]
    /// The index of the current entry.
    private(set) var index: Int

    /// - Parameter index: The index of the current entry; clamped to the list.
    init(_ locations: [String], at index: Int = 0) {
        self.locations = locations
        self.index = min(max(0, index), max(0, locations.count - 1))
    }

    var current: String? { locations.indices.contains(index) ? locations[index] : nil }
    var hasNext: Bool { index + 1 < locations.count }
    var hasPrevious: Bool { index > 0 && !locations.isEmpty }

    /// Moves by `step` entries. If there is no such entry, or if `step` is 0, returns false and does not move.
    mutating func move(by step: Int) -> Bool {
        let (next, isBeyond) = index.addingReportingOverflow(step)
        guard !isBeyond, locations.indices.contains(next), step != 0 else { return false }
        index = next
        return true
    }
}
