import Geometry
import Presentation

/// One thing that grows while all else stays, and what a frame costs at each of its sizes.
struct GrowthSeries: Encodable {
    /// What grows.
    enum Kind: String, CaseIterable, Sendable {
        /// The window, in millions of pixels.
        case window
        /// The film's pictures, in millions of pixels as they were coded.
        case video
        /// Layers on the film's page.
        case layers
        /// Pages beneath the film's page, while a hand drags that.
        case pages

        /// What `x` counts.
        var unit: String {
            switch self {
            case .window, .video: "megapixel"
            case .layers: "layer"
            case .pages: "page"
            }
        }

        /// What goes on meanwhile.
        var scenario: Scenario { self == .pages ? .drag : .rest }
    }

    /// One size.
    struct Point: Encodable {
        var label: String
        var x: Double
        var report: FrameReport

        init(label: String, x: Double, report: FrameReport) {
            self.label = label
            self.x = x
            self.report = report
        }

        /// - Parameter count: of layers or pages; how large a window or a film really was, its report says.
        /// Nil for a film without a picture.
        init?(_ report: FrameReport, of kind: Kind, count: Int) {
            self.report = report
            switch kind {
            case .layers, .pages: (label, x) = ("\(count)", Double(count))
            case .window: (label, x) = Self.area(report.window.width, report.window.height)
            case .video:
                guard let width = report.video.width, let height = report.video.height else { return nil }
                (label, x) = Self.area(width, height)
            }
        }

        private static func area(_ width: Int, _ height: Int) -> (String, Double) {
            ("\(width)x\(height)", Double(width) * Double(height) / 1e6)
        }
    }

    /// A part of a frame, or all of it that is on the frame loop.
    enum Column: Hashable, CaseIterable {
        case stage(FrameReport.Stage)
        case loop

        static var allCases: [Column] { FrameReport.Stage.allCases.map(Column.stage) + [.loop] }

        var name: String {
            switch self {
            case .stage(let stage): stage.rawValue
            case .loop: "loop"
            }
        }
    }

    var kind: Kind
    var points: [Point]

    /// The median at a point, in milliseconds; nil where it was not measured, and for resolving on the loop where it is an
    /// exception: a few frames' cost is not what one takes.
    static func cost(_ column: Column, of report: FrameReport) -> Double? {
        switch column {
        case .stage(.resolve) where report.video.resolved * 2 < report.video.uploaded: nil
        case .stage(let stage): report.costMs[stage]?.p50
        case .loop: report.costMs.loop?.p50
        }
    }

    /// How a column grows; nil where it was measured at fewer than two sizes.
    func fit(_ column: Column) -> LinearFit? {
        LinearFit(points.compactMap { point in Self.cost(column, of: point.report).map { (point.x, $0) } })
    }

    /// What the loop takes for one more, from the point before to this one; nil at the first, and where they do not differ.
    /// Where this grows along the points, the cost grows faster than linearly.
    func marginal(at index: Int) -> Double? {
        guard index > 0, let now = Self.cost(.loop, of: points[index].report),
            let before = Self.cost(.loop, of: points[index - 1].report), points[index].x != points[index - 1].x
        else { return nil }
        return (now - before) / (points[index].x - points[index - 1].x)
    }

    // MARK: - As JSON and as a table

    private enum CodingKeys: String, CodingKey { case name, unit, scenario, points, fit }
    private enum PointKeys: String, CodingKey {
        case label, x, report
        case cost = "median_ms"
        case marginal = "marginal_ms"
    }

    private struct Name: CodingKey {
        var stringValue: String
        var intValue: Int? { nil }
        init(_ column: Column) { stringValue = column.name }
        init?(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(kind.rawValue, forKey: .name)
        try container.encode(kind.unit, forKey: .unit)
        try container.encode(kind.scenario.rawValue, forKey: .scenario)
        var list = container.nestedUnkeyedContainer(forKey: .points)
        for (index, point) in points.enumerated() {
            var entry = list.nestedContainer(keyedBy: PointKeys.self)
            try entry.encode(point.label, forKey: .label)
            try entry.encode(point.x, forKey: .x)
            try entry.encode(marginal(at: index), forKey: .marginal)
            try entry.encode(point.report, forKey: .report)
            var costs = entry.nestedContainer(keyedBy: Name.self, forKey: .cost)
            for column in Column.allCases {
                try costs.encode(Self.cost(column, of: point.report), forKey: Name(column))
            }
        }
        var fits = container.nestedContainer(keyedBy: Name.self, forKey: .fit)
        for column in Column.allCases { try fits.encode(fit(column), forKey: Name(column)) }
    }

    /// A row a size, and beneath them how it grows.
    var table: String {
        let columns = Column.allCases
        var table = TextTable(
            [.init("\(kind.rawValue), \(kind.scenario.rawValue)")] + columns.map { .init($0.name) } + [
                .init("one more")
            ])
        for (index, point) in points.enumerated() {
            table.add(
                [point.label] + columns.map { TextTable.milliseconds(Self.cost($0, of: point.report)) }
                    + [marginal(at: index).map(TextTable.small) ?? "–"])
        }
        let fits = columns.map(fit)
        table.add(["ms a \(kind.unit)"] + fits.map { TextTable.small($0?.slope) })
        table.add(["exponent"] + fits.map { TextTable.milliseconds($0?.exponent) })
        return table.text
    }
}
