import GlissadePresentation

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
        Medians in milliseconds. loop: all stages except decode and prepare, which run on other threads. each more: what the
        loop costs per unit added since the row above. ms per …: the slope of a line fitted to all rows. exponent: the slope
        of a line fitted to their logarithms; 1 means that doubling the quantity doubles the cost.

        """
    }
}
