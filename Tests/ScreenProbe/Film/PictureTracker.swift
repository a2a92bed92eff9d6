/// Follows coded pictures over a screen wherever they go, however large they become.
///
/// A look reads first the rows in which pictures were found the last time, each over the screen's whole width, and two
/// columns for each picture. Only where one of them is gone, or something was drawn where none is known, it reads a row in
/// each `rowDistance`, and each tenth time in any case: another picture may have come beside the known ones.
package struct PictureTracker: Sendable {
    /// A picture on the screen.
    package struct Picture: Sendable {
        /// Nil where its marks were found, but no code between them.
        package var number: Int?
        package var columns: ClosedRange<Double>
        /// Where both of its marks are seen, from top to bottom.
        package var rows: Range<Int>
        /// A pixel of the screen that shows it.
        package var pixel: (x: Int, y: Int)

        package init(number: Int?, columns: ClosedRange<Double>, rows: Range<Int>, pixel: (x: Int, y: Int)) {
            (self.number, self.columns, self.rows, self.pixel) = (number, columns, rows, pixel)
        }

        package var width: Double { columns.upperBound - columns.lowerBound }
        /// The pixel in its middle.
        package var middle: (x: Int, y: Int) {
            (Int((columns.lowerBound + columns.upperBound) / 2), (rows.lowerBound + rows.upperBound) / 2)
        }

        func overlaps(_ area: Region) -> Bool {
            columns.lowerBound < Double(area.x.upperBound) && columns.upperBound > Double(area.x.lowerBound)
                && rows.overlaps(area.y)
        }

        func isSame(as other: Picture) -> Bool {
            abs(columns.lowerBound - other.columns.lowerBound) + abs(columns.upperBound - other.columns.upperBound)
                <= 8 + width / 50 && rows.overlaps(other.rows)
        }
    }

    /// From one row of a search to the next: a picture of 90 rows has one that no round corner cuts off.
    package static let rowDistance = 60
    /// Where in a picture it is read, as shares of its height: something may lie over one of them.
    static let heights = [0.5, 0.3, 0.7, 0.2]
    /// How many looks may follow known pictures only.
    static let looksBetweenSearches = 10

    /// What was found at the last look, the largest first.
    package private(set) var pictures: [Picture] = []
    /// How often all of the screen was searched.
    package private(set) var searchCount = 0
    /// Whether the last search saw a mark that belongs to no picture: one that is cut off, say by a window's edge.
    package private(set) var seesCutPicture = false
    /// What the last search could read beside such marks, and in which row.
    package private(set) var cuts: [(code: MarkedCode.Cut, row: Int)] = []
    /// Whether the last look was a search.
    package var hasSearched: Bool { looksSinceSearch == 0 }
    private var looksSinceSearch = Self.looksBetweenSearches

    package init() {}

    /// Looks at what was drawn: at pictures that it touched, or everywhere. The largest picture comes first.
    package mutating func look(at source: some PixelSource, drawn: [Region]) -> [Picture] {
        looksSinceSearch += 1
        var found: [Picture] = []
        var isLost = looksSinceSearch > Self.looksBetweenSearches || pictures.isEmpty
        var isAccounted = drawn.map { _ in false }
        if !isLost {
            for picture in pictures {
                let touching = drawn.indices.filter { picture.overlaps(drawn[$0]) }
                guard !touching.isEmpty else {
                    Self.add(picture, to: &found)
                    continue
                }
                for index in touching { isAccounted[index] = true }
                if !read(picture, from: source, into: &found) { isLost = true }
            }
        }
        return isLost || isAccounted.contains(false) ? search(source) : take(found)
    }

    private mutating func take(_ found: [Picture]) -> [Picture] {
        pictures = found.sorted { ($0.number != nil ? 1 : 0, $0.width) > ($1.number != nil ? 1 : 0, $1.width) }
        return pictures
    }

    /// Reads the rows in which a picture was; whether it, or one that overlaps it, is there.
    private func read(_ picture: Picture, from source: some PixelSource, into found: inout [Picture]) -> Bool {
        var isThere = false
        for height in Self.heights {
            let row = picture.rows.lowerBound + Int(height * Double(picture.rows.count))
            guard row < source.height, let line = source.line(x: 0..<source.width, y: row..<row + 1) else { continue }
            for next in Self.pictures(in: line, row: row, of: source) {
                let isHere = next.columns.overlaps(picture.columns)
                isThere = isThere || isHere && next.number != nil
                Self.add(next, to: &found)
            }
            if isThere { return true }
        }
        return false
    }

    /// Searches the whole screen. The largest picture comes first.
    package mutating func search(_ source: some PixelSource) -> [Picture] {
        searchCount += 1
        looksSinceSearch = 0
        seesCutPicture = false
        cuts = []
        var found: [Picture] = []
        var stray: [PixelLine.Run] = []
        for row in stride(from: Self.rowDistance / 2, to: source.height, by: Self.rowDistance) {
            guard let line = source.line(x: 0..<source.width, y: row..<row + 1) else { continue }
            for picture in Self.pictures(in: line, row: row, of: source, known: found) { Self.add(picture, to: &found) }
            // Of one hue in two rows that follow: too large for a line of text or an icon.
            let strayHere = MarkedCode.strayMarks(in: line)
            seesCutPicture =
                seesCutPicture
                || strayHere.contains { run in
                    stray.contains { $0.mark == run.mark && $0.places.overlaps(run.places) }
                }
            cuts += strayHere.compactMap { MarkedCode.cut(beside: $0, in: line) }.map { ($0, row) }
            stray = strayHere
        }
        return take(found)
    }

    /// - Parameter known: pictures whose height need not be asked for again.
    private static func pictures(
        in line: PixelLine, row: Int, of source: some PixelSource, known: [Picture] = []
    ) -> [Picture] {
        // Two pictures may touch, one above the other, at one of their marks; hardly at both.
        func rows(atColumn column: Int) -> Range<Int>? {
            source.line(x: column..<column + 1, y: 0..<source.height)?.run(around: row)
        }
        return MarkedCode.findings(in: line).map { finding in
            var picture = Picture(
                number: finding.number, columns: finding.columns, rows: row..<row + 1,
                pixel: (finding.markColumns.left, row))
            if let same = known.first(where: { $0.isSame(as: picture) }) {
                picture.rows = same.rows
            } else if let left = rows(atColumn: finding.markColumns.left),
                let right = rows(atColumn: finding.markColumns.right)
            {
                picture.rows = left.clamped(to: right)
            }
            return picture
        }
    }

    /// A picture is there once, in whichever rows it was found; a row in which it can be read tells of it best.
    private static func add(_ picture: Picture, to found: inout [Picture]) {
        guard let index = found.firstIndex(where: { $0.isSame(as: picture) }) else { return found.append(picture) }
        if found[index].number == nil { found[index].number = picture.number }
    }
}
