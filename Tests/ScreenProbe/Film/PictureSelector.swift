package import GlissadeTime

/// Selects from the pictures on a screen the one that plays: the largest whose number may follow what was seen before.
///
/// A still of the film, say its poster in a list, carries a code as well. Its number lies far from those of the film as it
/// plays, unless that just passes it. Where only such are to be seen for a while, the film has been sought in, and goes on
/// from there.
package struct PictureSelector: Sendable {
    /// A number that lies within these many frames from the last one may follow it.
    static let reach = -60...120
    /// For how long a picture that cannot follow is taken for a still.
    static let timeout = Duration.seconds(1)

    private let filmLength: Int?
    private var last: Int?
    /// Since when there was none that may follow.
    private var strayedAt: HostTime?

    package init(filmLength: Int?) { self.filmLength = filmLength }

    /// - Parameter pictures: what is on the screen, the largest first.
    /// - Returns: nil where nothing but stills can be seen; a picture without a number where none could be read.
    package mutating func pick(_ pictures: [PictureTracker.Picture], at time: HostTime) -> PictureTracker.Picture? {
        let readable = pictures.filter { $0.number != nil }
        if let next = readable.first(where: mayFollow) {
            (last, strayedAt) = (next.number, nil)
            return next
        }
        guard let still = readable.first else { return pictures.first }
        let since = strayedAt ?? time
        strayedAt = since
        guard time - since >= Self.timeout else { return pictures.first { $0.number == nil } }
        (last, strayedAt) = (still.number, nil)
        return still
    }

    /// How far a frame may lie from the last one where only three of its bits can be read.
    static let cutReach = -1...6

    /// - Parameter cuts: what can be read of pictures that are cut off.
    /// - Returns: the picture of the largest that can be the last frame, the one before, or one of the next.
    package mutating func pick(_ cuts: [(code: MarkedCode.Cut, row: Int)]) -> PictureTracker.Picture? {
        guard let last else { return nil }
        for (cut, row) in cuts.sorted(by: { $0.code.columns.width > $1.code.columns.width }) {
            let next = Self.cutReach.map { step in
                guard let filmLength, filmLength > 0 else { return last + step }
                return (last + step + filmLength) % filmLength
            }.first(where: cut.matches)
            guard let next else { continue }
            (self.last, strayedAt) = (next, nil)
            return PictureTracker.Picture(
                number: next, columns: cut.columns, rows: row..<row + 1, pixel: (cut.markColumn, row))
        }
        return nil
    }

    private func mayFollow(_ picture: PictureTracker.Picture) -> Bool {
        guard let last, let number = picture.number else { return true }
        guard let filmLength, filmLength > 0 else { return Self.reach.contains(number - last) }
        let step = ((number - last) % filmLength + filmLength) % filmLength
        return Self.reach.contains(step) || Self.reach.contains(step - filmLength)
    }
}

extension ClosedRange<Double> {
    fileprivate var width: Double { upperBound - lowerBound }
}
