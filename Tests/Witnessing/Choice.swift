public import Motion

/// Chooses among the pictures on a screen the one that plays: the largest whose number may follow what was seen before.
///
/// A still of the film, say its poster in a list, carries a code as well. Its number lies far from those of the film as it
/// plays, unless that just passes it. Where only such are to be seen for a while, the film has been sought in, and goes on
/// from there.
public struct Choice: Sendable {
    /// A number that lies within these many frames from the last one may follow it.
    static let reach = -60...120
    /// For how long a picture that cannot follow is taken for a still.
    static let patience = Duration.seconds(1)

    private let filmLength: Int?
    private var last: Int?
    /// Since when there was none that may follow.
    private var strayedAt: HostTime?

    public init(filmLength: Int?) { self.filmLength = filmLength }

    /// - Parameter pictures: what is on the screen, the largest first.
    /// - Returns: nil where nothing but stills can be seen; a picture without a number where none could be read.
    public mutating func pick(_ pictures: [Pursuit.Picture], at time: HostTime) -> Pursuit.Picture? {
        let readable = pictures.filter { $0.number != nil }
        if let next = readable.first(where: mayFollow) {
            (last, strayedAt) = (next.number, nil)
            return next
        }
        guard let still = readable.first else { return pictures.first }
        let since = strayedAt ?? time
        strayedAt = since
        guard time - since >= Self.patience else { return pictures.first { $0.number == nil } }
        (last, strayedAt) = (still.number, nil)
        return still
    }

    private func mayFollow(_ picture: Pursuit.Picture) -> Bool {
        guard let last, let number = picture.number else { return true }
        guard let filmLength, filmLength > 0 else { return Self.reach.contains(number - last) }
        let step = ((number - last) % filmLength + filmLength) % filmLength
        return Self.reach.contains(step) || Self.reach.contains(step - filmLength)
    }
}
