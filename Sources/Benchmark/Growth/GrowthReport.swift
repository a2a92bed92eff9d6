import Presentation

/// The report of `bench --growth`, version 1.
struct GrowthReport: Encodable {
    let version = 1
    let scenario = "growth"
    var renderer: String
    var series: [GrowthSeries]

    /// Creates the report; nil if nothing was measured.
    init?(_ series: [GrowthSeries]) {
        guard let first = series.lazy.flatMap(\.points).first else { return nil }
        renderer = first.report.renderer
        self.series = series
    }

    var table: String {
        """
        \(renderer)

        \(series.map(\.table).joined(separator: "\n"))
        Medians in milliseconds. loop: all but decode and prepare, which other threads work on. one more: what the loop
        takes for one more, from the row before to this one. ms a …: the slope of the line through all rows; exponent:
        that of their logarithms, 1 where twice as many cost twice as much.

        """
    }
}
