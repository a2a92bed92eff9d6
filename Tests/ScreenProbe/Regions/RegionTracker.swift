package import GlissadeTime

/// One observed region: which columns to try, and the statistics of what was seen there.
package struct RegionTracker {
    package let region: Region
    package private(set) var statistics: FrameStatistics
    private let findsEdges: Bool
    private var columns: [Int]

    /// - Parameters:
    ///   - columns: Tried in this order, after the one that could be read the last time.
    ///   - findsEdges: Whether to look also for where the picture begins and ends in the region: two rows more to fetch.
    package init(_ region: Region, columns: [Column], filmLength: Int? = nil, findsEdges: Bool = false) {
        self.region = region
        self.findsEdges = findsEdges
        self.columns = columns.compactMap { $0.place(in: region) }
        statistics = FrameStatistics(filmLength: filmLength)
    }

    /// What one look saw.
    package struct Look: Hashable, Sendable {
        package var observation: FrameObservation
        /// The column of the screen in which a frame was read.
        package var column: Int?
        /// The columns of the screen over which the picture lies.
        package var edges: Range<Int>?
        /// Whether anything is other than at the look before.
        package var isNew: Bool
    }

    /// Looks at the screen, and counts what it sees as seen at `time`.
    package mutating func look(at screen: XScreen, at time: HostTime) -> Look {
        var isBlack = true
        for (index, column) in columns.enumerated() {
            guard let values = screen.grey(x: column..<column + 1, y: region.y) else { continue }
            if let reading = FrameCode.read(values) {
                if index > 0 { columns.insert(columns.remove(at: index), at: 0) }
                let edges = findsEdges ? edges(of: reading, around: column, on: screen) : nil
                let isNew = statistics.add(.frame(reading.number), edges: edges, at: time)
                return Look(observation: .frame(reading.number), column: column, edges: edges, isNew: isNew)
            }
            isBlack = isBlack && FrameCode.observation(in: values) == .black
        }
        let observation: FrameObservation = isBlack && !columns.isEmpty ? .black : .unreadable
        return Look(observation: observation, isNew: statistics.add(observation, at: time))
    }

    /// How far the code's first two bands, white above black, reach to both sides.
    private func edges(of reading: FrameCode.Reading, around column: Int, on screen: XScreen) -> Range<Int>? {
        func row(_ band: Int) -> [UInt8]? {
            let y = region.y.lowerBound + FrameCode.middle(ofBand: band, height: region.y.count).lowerBound
            return screen.grey(x: region.x, y: y..<y + 1)
        }
        guard let white = row(0), let black = row(1) else { return nil }
        func isPicture(_ x: Int) -> Bool { white[x] > reading.threshold && black[x] <= reading.threshold }
        var (left, right) = (column - region.x.lowerBound, column - region.x.lowerBound)
        while left > 0, isPicture(left - 1) { left -= 1 }
        while right < white.count, isPicture(right) { right += 1 }
        guard left < right else { return nil }
        return left + region.x.lowerBound..<right + region.x.lowerBound
    }
}
