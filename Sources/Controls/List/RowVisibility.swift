/// Reports how far each row of a list has come into view or left it. Pure: the rows' frames are passed in.
///
/// Rows are identified by their ids. A row that has moved but is as visible as before is not reported. A row that has
/// been removed from the list counts as out of view.
///
/// For a row that comes into view, the reports are `willAppear`, then `appearing` for each new fraction, and
/// `didAppear` once the row is fully visible. For a row that leaves the view, they are `willDisappear`, `disappearing`
/// for each new fraction, and `didDisappear`. If a row reverses direction halfway, `willDisappear` or `willAppear` is
/// reported, and the fraction continues from its current value. The last report for a row that has left the view is
/// always `didDisappear`.
public struct RowVisibility<ID: Hashable & Sendable>: Sendable {
    /// A change in the visibility of a row.
    public enum Change: Hashable, Sendable {
        case willAppear
        /// The visible fraction of the row, 0…1.
        case appearing(Double)
        case didAppear
        case willDisappear
        /// The fraction of the row that is out of view, 0…1.
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

    /// The rows that are at least partly visible.
    private var rows: [Row] = []
    private var round = 0

    public init() {}

    /// The visible fraction of row `id`, 0…1.
    public func fraction(of id: ID) -> Double { rows.first { $0.id == id }?.fraction ?? 0 }

    /// Computes which rows are visible between `upper` and `lower`, and reports what has changed since the last call.
    ///
    /// - Parameters:
    ///   - frames: The rows' frames, in the same coordinates as `upper` and `lower`. Rows out of view may be omitted.
    ///     Each id must occur at most once.
    ///   - report: Called for each change, in order. The closure must not access this `RowVisibility`.
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

    /// Reports that all rows have gone out of view. Call this when the list itself is gone.
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
