/// Tells of the rows of a list how far each has come into view, or gone out of it. Told where they are; pure.
///
/// A row is known by its identity: one that lies elsewhere after the list was sorted, read again or resized, and is seen
/// as much as before, hears nothing; one that the list does not name any more has gone out of view.
///
/// What a row hears between `willAppear` and `didDisappear` comes in this order. It comes in (`appearing`, more or less)
/// until it is wholly seen (`didAppear`), and from then on goes out (`disappearing`). A row that turns round on its way
/// hears the other `will`, and goes on from the share at which it is: no `will` or `did` comes twice without its
/// counterpart, whatever the list does, and each `willAppear` ends in one `didDisappear`.
public struct RowVisibility<ID: Hashable & Sendable>: Sendable {
    public enum Change: Hashable, Sendable {
        case willAppear
        /// So much of it is seen, 0…1.
        case appearing(Double)
        case didAppear
        case willDisappear
        /// So much of it is not seen any more, 0…1.
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

    /// The rows in view.
    private var rows: [Row] = []
    private var round = 0

    public init() {}

    /// How much of a row is seen, 0…1.
    public func fraction(of id: ID) -> Double { rows.first { $0.id == id }?.fraction ?? 0 }

    /// The rows are at `frames` now, and between `upper` and `lower` is what is seen.
    ///
    /// - Parameters:
    ///   - frames: in points; those out of view may be left out. Of two with one identity the first counts.
    ///   - tell: hears of each change, in its order; it must not ask this value.
    public mutating func update(
        _ frames: [RowFrame<ID>], from upper: Double, to lower: Double, tell: (ID, Change) -> Void
    ) {
        round &+= 1
        for frame in frames {
            let fraction = frame.fraction(from: upper, to: lower)
            if let index = rows.firstIndex(where: { $0.id == frame.id }) {
                guard rows[index].round != round else { continue }
                rows[index].round = round
                move(&rows[index], to: fraction, tell)
            } else if fraction > 0 {
                var row = Row(id: frame.id, phase: .comingIn, fraction: 0, round: round)
                tell(row.id, .willAppear)
                move(&row, to: fraction, tell)
                rows.append(row)
            }
        }
        for index in rows.indices where rows[index].round != round { move(&rows[index], to: 0, tell) }
        rows.removeAll { $0.fraction == 0 }
    }

    /// Nothing is seen any more: the list has gone.
    public mutating func removeAll(tell: (ID, Change) -> Void) { update([], from: 0, to: 0, tell: tell) }

    private func move(_ row: inout Row, to fraction: Double, _ tell: (ID, Change) -> Void) {
        guard fraction != row.fraction else { return }
        let isMore = fraction > row.fraction
        row.fraction = fraction
        switch row.phase {
        case .comingIn where !isMore, .whole:
            row.phase = .goingOut
            tell(row.id, .willDisappear)
        case .goingOut where isMore:
            row.phase = .comingIn
            tell(row.id, .willAppear)
        case .comingIn, .goingOut: break
        }
        if row.phase == .comingIn {
            tell(row.id, .appearing(fraction))
            guard fraction == 1 else { return }
            row.phase = .whole
            tell(row.id, .didAppear)
        } else {
            tell(row.id, .disappearing(1 - fraction))
            if fraction == 0 { tell(row.id, .didDisappear) }
        }
    }
}
