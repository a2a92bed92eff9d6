/// A frame's number as bands across the picture, so that a single column of it, any, tells which frame it is.
///
/// Twenty-four bands of equal height over the whole width, from top to bottom: white, black, the number's 16 bits with
/// the highest first, 4 check bits, black, white. The four outer ones say what white and black are in the picture at
/// hand, so a dimmed picture reads as well as a bright one. Where a band is neither, or is not the same over its height,
/// nothing is read: a wrong number would be worse than none.
package enum FrameCode {
    /// Bands from top to bottom.
    package static let bandCount = 24
    /// Numbers are 0 up to this, exclusive: eighteen minutes at 60 frames a second.
    package static let limit = 1 << 16

    /// Contrast below which white and black are not told apart, of 255.
    package static let leastContrast = 64
    /// How far a band may lie from white or black, as a share of the contrast. Two frames blended half and half are
    /// farther from both.
    package static let tolerance = 0.3
    /// What passes for black on a screen, of 255.
    package static let blackest: UInt8 = 24

    /// The bands of a frame, top to bottom; true is white.
    package static func bands(of number: Int) -> [Bool] {
        precondition((0..<limit).contains(number), "a frame's number has 16 bits")
        let bits = number << 4 | Int(check(number))
        return [true, false] + (0..<20).map { bits >> (19 - $0) & 1 == 1 } + [false, true]
    }

    /// CRC-4 of the number's 16 bits (polynomial x⁴ + x + 1, as in ITU-T G.704, begun with ones): it finds every wrong bit,
    /// and every run of wrong bits up to four long.
    static func check(_ number: Int) -> UInt8 {
        var rest: UInt8 = 0b1111
        for place in stride(from: 15, through: 0, by: -1) {
            let bit = UInt8(number >> place & 1) ^ rest >> 3
            rest = (rest << 1 ^ bit * 0b0011) & 0b1111
        }
        return rest
    }

    /// A code that was found in a column of grey values.
    package struct Reading: Hashable, Sendable {
        package var number: Int
        /// Brighter is white, of 255.
        package var threshold: UInt8
    }

    /// Reads the code that fills `column`; nil where there is none, or any doubt about it.
    package static func read(_ column: [UInt8]) -> Reading? {
        guard column.count >= bandCount * 2 else { return nil }
        let bands = (0..<bandCount).map { column[middle(ofBand: $0, height: column.count)] }
        let white = mean(of: bands[0] + bands[bandCount - 1])
        let black = mean(of: bands[1] + bands[bandCount - 2])
        let contrast = white - black
        guard contrast >= Double(leastContrast) else { return nil }

        var bits = 0
        for (index, band) in bands.enumerated() {
            let isWhite = band.allSatisfy { Double($0) >= white - tolerance * contrast }
            guard isWhite || band.allSatisfy({ Double($0) <= black + tolerance * contrast }) else { return nil }
            switch index {
            case 0, bandCount - 1: guard isWhite else { return nil }
            case 1, bandCount - 2: guard !isWhite else { return nil }
            default: bits = bits << 1 | (isWhite ? 1 : 0)
            }
        }
        let number = bits >> 4
        guard UInt8(bits & 0b1111) == check(number) else { return nil }
        return Reading(number: number, threshold: UInt8((white + black) / 2))
    }

    /// Whether each band is white or black, where two of them are known to be the one and the other; nil where there is too
    /// little contrast, or one is neither.
    static func bits(of bands: [ArraySlice<UInt8>], white: Int, black: Int) -> [Bool]? {
        let (white, black) = (mean(of: bands[white]), mean(of: bands[black]))
        let contrast = white - black
        guard contrast >= Double(leastContrast) else { return nil }
        let bits = bands.compactMap { band -> Bool? in
            if band.allSatisfy({ Double($0) >= white - tolerance * contrast }) { return true }
            return band.allSatisfy { Double($0) <= black + tolerance * contrast } ? false : nil
        }
        return bits.count == bands.count ? bits : nil
    }

    /// What a column shows, code or not.
    package static func observation(in column: [UInt8]) -> FrameObservation {
        if let reading = read(column) { return .frame(reading.number) }
        return column.allSatisfy { $0 <= blackest } && !column.isEmpty ? .black : .unreadable
    }

    /// The rows in the inner half of a band, at least the one in its middle: its edges are blurred where it was scaled.
    static func middle(ofBand band: Int, height: Int) -> Range<Int> {
        let each = Double(height) / Double(bandCount)
        let top = Double(band) * each
        let (first, end) = (Int((top + each / 4).rounded(.up)), Int(top + each * 3 / 4))
        let centre = Int(top + each / 2)
        return first < end ? first..<end : centre..<centre + 1
    }

    private static func mean(of values: ArraySlice<UInt8>) -> Double {
        Double(values.reduce(0) { $0 + Int($1) }) / Double(values.count)
    }
}
