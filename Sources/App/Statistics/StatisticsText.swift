import GlissadeGeometry
import GlissadePresentation

/// The text of the statistics panel.
enum StatisticsText {
    struct Line: Equatable, Sendable {
        var label: String
        var value: String
        /// The text in the last column; if nil, the value extends into that column.
        var detail: String?

        init(_ label: String, _ value: String, detail: String? = nil) {
            self.label = label
            self.value = value
            self.detail = detail
        }
    }

    /// Returns the lines of the panel.
    ///
    /// A figure that is briefly unknown is shown as a dash, so that the panel keeps its size. Figures that do not
    /// apply to the file are left out.
    ///
    /// - Parameters:
    ///   - shown: The number of video frames shown.
    ///   - repeated: The number of video frames that stayed on the screen too long.
    static func lines(
        _ figures: StatisticsOverlay.Figures, _ costs: StatisticsOverlay.Costs, shown: Int, repeated: Int
    ) -> [Line] {
        var lines: [Line] = []
        func add(_ label: String, _ parts: [String?]) {
            let parts = parts.compactMap { $0 }
            if !parts.isEmpty { lines.append(Line(label, parts.joined(separator: "   "))) }
        }
        add("File", [figures.file])
        add("Video", [figures.videoCodec, figures.pixelFormat, figures.container.map { "in \($0)" }])
        add("Decoder", [figures.decoder])
        add("Audio", [figures.audioCodec])
        add(
            "Size",
            [
                figures.codedSize.map(size), figures.shownSize.map { "→ \(size($0))" },
                figures.windowSize.map { "in \(size($0))" },
            ])
        add(
            "Rate",
            [
                figures.frameRate.map { "\(number($0, 3)) frames/s" },
                figures.speed.flatMap { $0 == 1 ? nil : "× \(number($0, 2))" },
            ])
        if let refreshRate = figures.refreshRate {
            // Always three decimals, to tell 60.000 from 59.940.
            let rate = "\(fixed(refreshRate, 3)) Hz"
            let pace = figures.displayFactor.map { "sets the pace, × \(fixed($0, 4))" } ?? "audio sets the pace"
            add("Display", [rate, figures.frameRate == nil ? nil : pace])
        }
        add("A/V", [figures.audioOffset.map(offset) ?? (figures.audioCodec == nil ? nil : "–")])
        add(
            "Frames",
            ["\(shown) shown", figures.dropped.map { dropped($0, of: figures.due) }, "\(repeated) repeated"])
        add(
            "Queues",
            [
                figures.queuedFrames.map { "\($0) frame\($0 == 1 ? "" : "s")" },
                figures.queuedBytes.map { "\(number(Double($0) / 1_048_576, 1)) MiB" },
            ])
        if let count = figures.leftOutLines, count > 0 { add("Subtitles", ["\(count) skipped: too slow to render"]) }
        lines.append(times("Upload", costs.upload))
        lines.append(times("Draw", costs.draw))
        lines.append(times("Swap", costs.swap))
        lines.append(times("Interval", costs.interval))
        add("Renderer", [figures.renderer])
        return lines
    }

    /// Returns the number with exactly `digits` decimals, or a dash if the number is not finite or too large.
    private static func fixed(_ value: Double, _ digits: Int) -> String {
        var scale = 1.0
        for _ in 0..<digits { scale *= 10 }
        guard value.isFinite, abs(value) < 1e9 else { return "–" }
        let whole = Int((value * scale).rounded())
        let (units, rest) = abs(whole).quotientAndRemainder(dividingBy: Int(scale))
        let decimals = String(rest)
        return "\(whole < 0 ? "-" : "")\(units)." + String(repeating: "0", count: digits - decimals.count) + decimals
    }

    private static func size(_ size: PixelSize) -> String { "\(size.width)×\(size.height)" }

    private static func dropped(_ count: Int, of due: Int?) -> String {
        guard let due, due > 0, count > 0 else { return "\(count) dropped" }
        return "\(count) dropped (\(number(100 * Double(count) / Double(due), 1)) %)"
    }

    private static func offset(_ offset: Duration) -> String {
        let milliseconds = offset.inMilliseconds
        return "\(milliseconds < 0 ? "−" : "+")\(number(abs(milliseconds), 1)) ms"
    }

    private static func times(_ label: String, _ times: RecentFrames.Times?) -> Line {
        guard let times else { return Line(label, "–", detail: "") }
        return Line(
            label, "\(number(times.median.inMilliseconds, 1)) ms",
            detail: "max \(number(times.longest.inMilliseconds, 1)) ms")
    }

    /// Returns the number with `digits` decimals, or a dash if the number is not finite or too large. If `digits` is at
    /// least 2, decimals that are all 0 are omitted.
    static func number(_ value: Double, _ digits: Int) -> String {
        guard value.isFinite, abs(value) < 1e12 else { return "–" }
        var scale = 1
        for _ in 0..<digits { scale *= 10 }
        let whole = Int((value * Double(scale)).rounded())
        let (units, rest) = abs(whole).quotientAndRemainder(dividingBy: scale)
        let sign = whole < 0 ? "-" : ""
        if digits == 0 || digits > 1 && rest == 0 { return "\(sign)\(units)" }
        let text = String(rest)
        return "\(sign)\(units)." + String(repeating: "0", count: digits - text.count) + text
    }
}
