/// A table for a terminal. The first column is left-aligned, and the others are right-aligned.
struct TextTable {
    /// One or more adjacent columns under a common title. Each column may also have a name of its own.
    struct Group {
        var title: String
        var columns: [String]

        init(_ title: String, _ columns: [String] = [""]) {
            self.title = title
            self.columns = columns
        }
    }

    private let groups: [Group]
    private var rows: [[String]] = []
    private static let gap = "  "

    init(_ groups: [Group]) { self.groups = groups }

    /// Adds a row with a cell for each column. Missing cells are empty; extra cells are dropped.
    mutating func add(_ cells: [String]) { rows.append(cells) }

    var text: String {
        let names = groups.flatMap(\.columns)
        let cells = rows.map { row in names.indices.map { $0 < row.count ? row[$0] : "" } }
        var widths = names.indices.map { column in
            max(names[column].count, cells.map { $0[column].count }.max() ?? 0)
        }
        // A title that is wider than its columns widens the first of them.
        var titles: [(text: String, width: Int)] = []
        var first = 0
        for group in groups {
            let columns = first..<first + group.columns.count
            let gaps = Self.gap.count * (group.columns.count - 1)
            let lacking = group.title.count - widths[columns].reduce(gaps, +)
            if lacking > 0 { widths[first] += lacking }
            titles.append((group.title, widths[columns].reduce(gaps, +)))
            first = columns.upperBound
        }
        func line(_ cells: [(text: String, width: Int)]) -> String {
            let padded = cells.enumerated().map { index, cell in
                let blanks = String(repeating: " ", count: max(0, cell.width - cell.text.count))
                return index == 0 ? cell.text + blanks : blanks + cell.text
            }
            return padded.joined(separator: Self.gap)
        }
        var lines = [line(titles)]
        if names.contains(where: { !$0.isEmpty }) { lines.append(line(Array(zip(names, widths)))) }
        lines += cells.map { line(Array(zip($0, widths))) }
        return lines.map { $0.trimmedAtEnd + "\n" }.joined()
    }

    /// Formats milliseconds with two decimals, or with one decimal from 10 ms upward. A value that is nil, not finite
    /// or too large becomes a dash.
    static func milliseconds(_ value: Double?) -> String {
        guard let value, value.isFinite, abs(value) < 1e9 else { return "–" }
        return digits(value, behindPoint: abs(value) < 9.995 ? 2 : 1)
    }

    /// Formats a number with two decimals, or with three significant digits if it is below 1. A value that is nil, not
    /// finite or too large becomes a dash.
    static func small(_ value: Double?) -> String {
        guard let value, value.isFinite, abs(value) < 1e9 else { return "–" }
        // The unit is milliseconds: less than a nanosecond is a rounding error.
        if abs(value) < 1e-6 { return "0.00" }
        var (places, size) = (2, abs(value))
        while size < 1, size > 0, places < 8 {
            size *= 10
            places += 1
        }
        return digits(value, behindPoint: places)
    }

    private static func digits(_ value: Double, behindPoint places: Int) -> String {
        var scale = 1.0
        for _ in 0..<places { scale *= 10 }
        let whole = Int((abs(value) * scale).rounded())
        let (units, rest) = whole.quotientAndRemainder(dividingBy: Int(scale))
        let fraction = String(rest)
        let sign = value < 0 && whole > 0 ? "-" : ""
        return "\(sign)\(units)." + String(repeating: "0", count: places - fraction.count) + fraction
    }
}

extension String {
    fileprivate var trimmedAtEnd: Substring {
        var text = self[...]
        while text.last == " " { text.removeLast() }
        return text
    }
}
