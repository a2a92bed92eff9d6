import GlissadeGeometry
import GlissadePresentation

/// The cost of a frame for several values of one quantity, with everything else unchanged.
struct GrowthSeries: Encodable {
    /// The quantity that grows.
    enum Kind: String, CaseIterable, Sendable {
        /// The window's area in device pixels; `x` is in megapixels.
        case window
        /// The video's coded area; `x` is in megapixels.
        case video
        /// The number of layers on the video's page.
        case layers
        /// The number of pages beneath the video's page while that page is dragged.
        case pages

        /// The unit of `Point.x`.
        var unit: String {
            switch self {
            case .window, .video: "megapixel"
            case .layers: "layer"
            case .pages: "page"
            }
        }

        /// The scenario that is run for each value.
        var scenario: Scenario { self == .pages ? .drag : .rest }
    }

    /// The result for one value of the quantity: the value `x` and the report of its run.
    struct Point: Encodable {
        var label: String
        var x: Double
        var report: FrameReport

        init(label: String, x: Double, report: FrameReport) {
            self.label = label
            self.x = x
            self.report = report
        }

        /// Creates the point for the report of a run; nil if the series varies the video's size and the file contains
        /// no video.
        ///
        /// - Parameter count: The number of layers or pages. Ignored in the series of window and video sizes.
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

    /// A column of the table: one stage of a frame, or the sum of the stages on the frame loop.
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

    /// Returns the median cost of a column in one run, in milliseconds; nil if the cost was not measured.
    ///
    /// The cost of conversion on the frame loop (`resolve`) is nil if fewer than half of the uploaded frames were
    /// converted there. A few exceptions thus do not appear as the cost of every frame.
    static func cost(_ column: Column, of report: FrameReport) -> Double? {
        switch column {
        case .stage(.resolve) where report.video.resolved * 2 < report.video.uploaded: nil
        case .stage(let stage): report.costMs[stage]?.p50
        case .loop: report.costMs.loop?.p50
        }
    }

    /// Returns how the cost in a column grows from point to point; nil if the cost was measured for fewer than two
    /// different values of `x`.
    func fit(_ column: Column) -> LinearFit? {
        LinearFit(points.compactMap { point in Self.cost(column, of: point.report).map { (point.x, $0) } })
    }

    /// Returns the frame loop's cost per unit added between the previous point and the point at `index`, in
    /// milliseconds.
    ///
    /// Returns nil for the first point, if both points have the same `x`, or if the cost at either point is unknown. If
    /// the result rises from point to point, the total cost grows faster than linearly.
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

    /// The series as a table with a row for each point, followed by the slopes and the exponents.
    var table: String {
        let columns = Column.allCases
        var table = TextTable(
            [.init("\(kind.rawValue), \(kind.scenario.rawValue)")] + columns.map { .init($0.name) } + [
                .init("each more")
            ])
        for (index, point) in points.enumerated() {
            table.add(
                [point.label] + columns.map { TextTable.milliseconds(Self.cost($0, of: point.report)) }
                    + [marginal(at: index).map(TextTable.small) ?? "–"])
        }
        let fits = columns.map(fit)
        table.add(["ms per \(kind.unit)"] + fits.map { TextTable.small($0?.slope) })
        table.add(["exponent"] + fits.map { TextTable.milliseconds($0?.exponent) })
        return table.text
    }
}
