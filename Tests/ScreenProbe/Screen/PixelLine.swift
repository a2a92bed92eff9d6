/// A row of pixels, or a column: how bright each is, and which of the code's marks it may belong to.
package struct PixelLine: Hashable, Sendable {
    /// The hue of a `MarkedCode`'s mark.
    package enum Mark: UInt8, Hashable, Sendable { case none, magenta, green }

    /// Neighbouring pixels of one mark.
    package struct Run: Hashable, Sendable {
        package var mark: Mark
        package var places: Range<Int>
    }

    /// The brightest of red, green and blue, of 255.
    package private(set) var grey: [UInt8] = []
    package private(set) var marks: [Mark] = []

    /// What is darker than this has no hue, of 255.
    static let darkestMark = 40

    package init(capacity: Int = 0) {
        grey.reserveCapacity(capacity)
        marks.reserveCapacity(capacity)
    }

    /// Adds a pixel. Its mark is that whose hue makes up half of its brightness or more: at the edge to white or black
    /// the mark ends where it is mixed half and half.
    package mutating func append(red: UInt8, green: UInt8, blue: UInt8) {
        let (red, green, blue) = (Int(red), Int(green), Int(blue))
        let brightest = max(red, green, blue)
        grey.append(UInt8(brightest))
        if brightest < Self.darkestMark {
            marks.append(.none)
        } else if 2 * (min(red, blue) - green) >= brightest {
            marks.append(.magenta)
        } else if 2 * (green - max(red, blue)) >= brightest {
            marks.append(.green)
        } else {
            marks.append(.none)
        }
    }

    /// The runs of marks, in order, that are so long at least.
    package func runs(atLeast length: Int) -> [Run] {
        var runs: [Run] = []
        var begin = 0
        while begin < marks.count {
            var end = begin + 1
            while end < marks.count, marks[end] == marks[begin] { end += 1 }
            if marks[begin] != .none, end - begin >= length {
                runs.append(Run(mark: marks[begin], places: begin..<end))
            }
            begin = end
        }
        return runs
    }

    /// The pixels around `place` that are of the same mark; nil where it is of none.
    package func run(around place: Int) -> Range<Int>? {
        guard marks.indices.contains(place), marks[place] != .none else { return nil }
        var (begin, end) = (place, place + 1)
        while begin > 0, marks[begin - 1] == marks[place] { begin -= 1 }
        while end < marks.count, marks[end] == marks[place] { end += 1 }
        return begin..<end
    }
}

/// Something to look at line by line: a screen, or a picture in memory.
package protocol PixelSource {
    var width: Int { get }
    var height: Int { get }
    /// A row (where `y` is one) or a column (where `x` is one); nil where it is not in the picture.
    func line(x: Range<Int>, y: Range<Int>) -> PixelLine?
}
