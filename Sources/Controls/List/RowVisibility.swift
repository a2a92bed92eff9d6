/// Reports how far each row of a list has come into view or gone out of it. Pure: the rows' frames are passed in.
///
/// Rows are identified by their ids. A row that has moved because the list was sorted, reloaded or resized, but is
/// equally visible, gets no notification; a row that the list no longer contains has gone out of view.
///
/// Between `willAppear` and `didDisappear`, a row comes in (`appearing`, with varying fractions) until it is fully
/// visible (`didAppear`), and then goes out (`disappearing`). A row that reverses halfway gets the other `will` and
/// continues from its current fraction. No `will` or `did` is repeated without its counterpart, whatever the list does,
/// and each `willAppear` ends in one `didDisappear`.
public struct RowVisibility<ID: Hashable & Sendable>: Sendable {
    /// One step of a row into view or out of it.
    public enum Change: Hashable, Sendable {
        case willAppear
        /// The fraction that is visible, 0…1.
        case appearing(Double)
        case didAppear
        case willDisappear
        /// The fraction that is no longer visible, 0…1.
        case disappearing(Double)
        case didDisappear
    }

    private enum Phase {
        case comingIn, whole, goingOut
    }

    private struct Row {
        let id: ID
        var phase: Phase
        var fraction: Double
        var round: Int
    }

    /// The visible rows.
    private var rows: [Row] = []
    private var round = 0

    public init() {}

    /// The visible fraction of a row, 0…1.
    public func fraction(of id: ID) -> Double { rows.first { $0.id == id }?.fraction ?? 0 }

    /// Updates the rows' frames and the visible range from `upper` to `lower`.
    ///
    /// - Parameters:
    ///   - frames: In points; rows out of view may be omitted. Of two with the same identity the first counts.
    ///   - report: Receives each change in order; must not access this value.
    public mutating func update(
        _ frames: [RowFrame<ID>], from upper: Double, to lower: Double, report: (ID, Change) -> Void
    ) {
        round &+= 1
        for frame in frames {
            let fraction = frame.fraction(from: upper, to: lower)
            if let index = rows.firstIndex(where: { $0.id == frame.id }) {
                guard rows[index].round != round else { continue }
                rows[index].round = round
                move(&rows[index], to: fraction, report)
            } else if fraction > 0 {
                var row = Row(id: frame.id, phase: .comingIn, fraction: 0, round: round)
                report(row.id, .willAppear)
                move(&row, to: fraction, report)
                rows.append(row)
            }
        }
        for index in rows.indices where rows[index].round != round { move(&rows[index], to: 0, report) }
        rows.removeAll { $0.fraction == 0 }
    }

    /// Call when the list is gone and nothing is visible any more.
    public mutating func removeAll(report: (ID, Change) -> Void) { update([], from: 0, to: 0, report: report) }

    private func move(_ row: inout Row, to fraction: Double, _ report: (ID, Change) -> Void) {
        guard fraction != row.fraction else { return }
        let isMore = fraction > row.fraction
        row.fraction = fraction
        switch row.phase {
        case .comingIn where !isMore, .whole:
            row.phase = .goingOut
            report(row.id, .willDisappear)
        case .goingOut where isMore:
            row.phase = .comingIn
            report(row.id, .willAppear)
        case .comingIn, .goingOut: break
        }
        if row.phase == .comingIn {
            report(row.id, .appearing(fraction))
            guard fraction == 1 else { return }
            row.phase = .whole
            report(row.id, .didAppear)
        } else {
            report(row.id, .disappearing(1 - fraction))
            if fraction == 0 { report(row.id, .didDisappear) }
        }
    }
}
