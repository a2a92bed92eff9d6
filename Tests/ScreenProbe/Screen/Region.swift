/// A rectangle of the screen in which a coded picture is looked for, in pixels, and its name in the account.
package struct Region: Hashable, Sendable {
    package var name: String
    package var x: Range<Int>
    package var y: Range<Int>

    package init(name: String, x: Range<Int>, y: Range<Int>) {
        (self.name, self.x, self.y) = (name, x, y)
    }

    /// `X,Y,WIDTH,HEIGHT`, or with `NAME=` before it; nil where it is not that, or empty.
    package init?(_ text: String) {
        let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        let numbers = parts[parts.count - 1].split(separator: ",", omittingEmptySubsequences: false).map { Int($0) }
        guard numbers.count == 4, let x = numbers[0], let y = numbers[1], let width = numbers[2],
            let height = numbers[3], (0...32767).contains(x), (0...32767).contains(y),
            (1...32767).contains(width), (1...32767).contains(height), parts.count == 1 || !parts[0].isEmpty
        else { return nil }
        self.init(name: parts.count == 2 ? String(parts[0]) : "picture", x: x..<x + width, y: y..<y + height)
    }

    /// Whether some of it lies in `other`.
    package func overlaps(_ other: Region) -> Bool { x.overlaps(other.x) && y.overlaps(other.y) }
}

/// A column of a region: pixels from its left edge, or a share of its width.
package enum Column: Hashable, Sendable {
    case pixels(Int)
    case fraction(Double)

    /// `120` or `90%`; nil where it is neither.
    package init?(_ text: some StringProtocol) {
        if text.hasSuffix("%"), let percent = Double(text.dropLast()), (0...100).contains(percent) {
            self = .fraction(percent / 100)
        } else if let pixels = Int(text), pixels >= 0 {
            self = .pixels(pixels)
        } else {
            return nil
        }
    }

    /// The column of the screen; nil outside of `region`.
    package func place(in region: Region) -> Int? {
        switch self {
        case .pixels(let pixels): region.x.contains(region.x.lowerBound + pixels) ? region.x.lowerBound + pixels : nil
        case .fraction(let fraction):
            min(region.x.lowerBound + Int(fraction * Double(region.x.count)), region.x.upperBound - 1)
        }
    }
}
