import Motion
import Stage

/// How much light a picture keeps from column to column, in 1/256: its shade, and a black gradient that lies over it.
///
/// Drawn where every pixel costs, as part of a shaded copy. A level of shade serves all shades within 1/256 of it: the
/// picture is off by less than one of its 255 levels then, and a page that is dragged has its copy made half as often.
struct ShadeRamp: Equatable {
    /// What the shade leaves; even.
    let level: UInt16
    /// The columns under the gradient, in the target.
    let columns: Range<Int>
    private let start: Double
    private let step: Double

    /// Nil where `gradient` is not black from side to side over all rows of `clip`, the picture's visible part.
    init?(shade: Double, gradient: BoxPlacement? = nil, over clip: PixelRect) {
        level = UInt16(256 - 2 * (shade * 128).rounded())
        guard let gradient else {
            (columns, start, step) = (clip.maxX..<clip.maxX, 0, 0)
            return
        }
        let (from, to) = (gradient.gradient.start, gradient.gradient.end)
        let part = gradient.clip.intersection(gradient.destination)
        guard gradient.gradient.axis == .horizontal, !(gradient.cornerRadius > 0), from.isBlack, to.isBlack,
            !part.isEmpty, clip.contains(part), part.minY == clip.minY, part.maxY == clip.maxY
        else { return nil }
        columns = part.minX..<part.maxX
        let (first, last) = (Self.clamped(from.alpha), Self.clamped(to.alpha))
        step = (last - first) / Double(gradient.destination.width)
        start = first + step * (Double(part.minX - gradient.destination.minX) + 0.5)
    }

    /// Whether the picture is as without it.
    var isPlain: Bool { level == 256 && columns.isEmpty }

    /// The factor for a column of the target.
    func factor(_ x: Int) -> UInt16 {
        guard columns.contains(x) else { return level }
        return UInt16((Double(level) * (1 - (start + step * Double(x - columns.lowerBound)))).rounded())
    }

    private static func clamped(_ alpha: Double) -> Double { alpha > 0 ? min(alpha, 1) : 0 }
}

extension Color {
    fileprivate var isBlack: Bool { red <= 0 && green <= 0 && blue <= 0 }
}
