/// A frame's number that is found on a screen without knowing where the picture lies, or how large it is.
///
/// The bands of `FrameCode` lie on their side between two marks, over the whole height of the picture: magenta, two bands
/// wide; the 24 bands from left to right; green, two bands wide. So every row through the picture, but for one that a
/// round corner cuts off, tells where it begins and ends and which frame it is. The marks are told by their hue, not by
/// how bright they are, so a dimmed picture is found as well as a bright one.
///
/// Numbers have 12 bits here. The four bands that this leaves begin the code with the number's three lowest bits and a
/// white one: of a picture whose right part is cut off, the left part tells which of the next frames it is, as the right
/// one does by its check bits.
package enum MarkedCode {
    /// Numbers are 0 up to this, exclusive: 68 seconds at 60 frames a second.
    package static let limit = 1 << 12

    /// The bands between the marks, from left to right; true is white.
    package static func bands(of number: Int) -> [Bool] {
        precondition((0..<limit).contains(number), "a marked frame's number has 12 bits")
        return FrameCode.bands(of: ((number & 7) << 1 | 1) << 12 | number)
    }

    /// How many bands a mark is wide.
    package static let markWidth = 2
    /// Bands from the left to the right edge.
    package static let bandCount = FrameCode.bandCount + 2 * markWidth
    /// A picture of 160 columns is the smallest; what is narrower than this band, in columns, is none.
    package static let leastBand = 4.5

    /// The code in a row of the screen, or only its marks.
    package struct Finding: Sendable {
        /// Nil where the marks are there, but between them is no code, or any doubt about it.
        package var number: Int?
        /// The columns over which the picture lies, as the marks' inner edges tell.
        package var columns: ClosedRange<Double>
        /// A column in the middle of what is seen of the left mark, and of the right one.
        package var markColumns: (left: Int, right: Int)

        package var width: Double { columns.upperBound - columns.lowerBound }
    }

    /// Finds the codes in a row, from left to right.
    package static func findings(in row: PixelLine) -> [Finding] {
        let runs = row.runs(atLeast: Int(leastBand) / 2)
        return zip(runs, runs.dropFirst()).compactMap { left, right in
            guard left.mark == .magenta, right.mark == .green else { return nil }
            let code = left.places.upperBound..<right.places.lowerBound
            let band = Double(code.count) / Double(FrameCode.bandCount)
            // A mark may be cut off by the screen's edge or by something in front of it, but not nearly all of it.
            guard band >= leastBand, Double(left.places.count) >= band / 2, Double(right.places.count) >= band / 2
            else { return nil }
            let mark = band * Double(markWidth)
            return Finding(
                number: FrameCode.read(Array(row.grey[code])).flatMap { number(of: $0.number) },
                columns: Double(code.lowerBound) - mark...Double(code.upperBound) + mark,
                markColumns: (
                    left: code.lowerBound - max(1, min(left.places.count, Int(mark)) / 2),
                    right: code.upperBound + min(right.places.count, Int(mark)) / 2
                ))
        }
    }

    private static func number(of value: Int) -> Int? {
        let number = value & (limit - 1)
        return value >> 12 == (number & 7) << 1 | 1 ? number : nil
    }

    /// What can be read beside one mark, where the other one is not to be seen.
    package struct Cut: Sendable {
        /// Which of the bands they are, and each of them.
        package var bands: Range<Int>
        package var bits: [Bool]
        /// The columns over which the picture would lie, were it whole.
        package var columns: ClosedRange<Double>
        /// A column in the middle of the mark.
        package var markColumn: Int

        /// Whether a frame of that number would look like this.
        package func matches(_ number: Int) -> Bool {
            (0..<limit).contains(number) && Array(MarkedCode.bands(of: number)[bands]) == bits
        }
    }

    /// Below this band, in columns, a mark's width does not tell well enough where the bands lie.
    static let leastCutBand = 8.0

    /// Reads the pixels beside a stray mark; nil if they are not the code.
    package static func cut(beside mark: PixelLine.Run, in row: PixelLine) -> Cut? {
        let band = Double(mark.places.count) / Double(markWidth)
        guard band >= leastCutBand else { return nil }
        let isLeft = mark.mark == .magenta
        // White, black, the lowest bits and a white one; or the lowest bits, the check bits, black, white.
        let bands = isLeft ? 0..<6 : FrameCode.bandCount - 9..<FrameCode.bandCount
        let begin =
            isLeft
            ? Double(mark.places.upperBound) : Double(mark.places.lowerBound) - Double(FrameCode.bandCount) * band
        let parts = bands.map { index -> ArraySlice<UInt8> in
            let first = Int(begin + (Double(index) + 0.25) * band)
            let places = first..<first + max(1, Int(band / 2))
            return places.clamped(to: row.grey.indices) == places ? row.grey[places] : []
        }
        guard parts.allSatisfy({ !$0.isEmpty }),
            let bits = FrameCode.bits(of: parts, white: isLeft ? 0 : 8, black: isLeft ? 1 : 7)
        else { return nil }
        let left = begin - Double(mark.places.count)
        return Cut(
            bands: bands, bits: bits, columns: left...left + Double(bandCount) * band,
            markColumn: (mark.places.lowerBound + mark.places.upperBound) / 2)
    }

    /// Marks, as wide as those of the smallest picture or wider, that belong to no finding.
    package static func strayMarks(in row: PixelLine) -> [PixelLine.Run] {
        let findings = findings(in: row)
        return row.runs(atLeast: Int(leastBand * Double(markWidth))).filter { run in
            !findings.contains {
                $0.columns.lowerBound <= Double(run.places.upperBound)
                    && $0.columns.upperBound >= Double(run.places.lowerBound)
            }
        }
    }

    /// A frame of a coded film, as YUV 4:2:0 in video range: two columns for each band, and two rows.
    static func raw(_ number: Int) -> [UInt8] {
        // BT.709, as the film says: magenta and green as bright as they come.
        let (magenta, green): ((UInt8, UInt8, UInt8), (UInt8, UInt8, UInt8)) = ((78, 214, 230), (173, 42, 26))
        let colours =
            [(UInt8, UInt8, UInt8)](repeating: magenta, count: markWidth)
            + bands(of: number).map { ($0 ? 235 : 16, 128, 128) }
            + [(UInt8, UInt8, UInt8)](repeating: green, count: markWidth)
        let row = colours.flatMap { [$0.0, $0.0] }
        return row + row + colours.map(\.1) + colours.map(\.2)
    }
}
