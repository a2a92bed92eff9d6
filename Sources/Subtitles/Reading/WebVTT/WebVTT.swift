import GlissadeMedia

/// Reads WebVTT (https://www.w3.org/TR/webvtt1/), since FFmpeg leaves out the places of cues, and before version 6 read no
/// file that begins with a style.
///
/// Colors of styles are kept, and nothing else of them. Vertical text is shown horizontally.
struct WebVTT {
    /// The colors in style blocks, and the regions.
    private(set) var style = Style()

    /// The maximum number of lines of a file. More are left out.
    private static let mostLines = 1 << 20
    /// The maximum length of the styles and regions of a file, in bytes. More are left out.
    private static let mostStyleBytes = 1 << 17
    /// The number of bytes of styles and regions that may still come.
    private var styleBytes = mostStyleBytes

    /// Reads the events of a file in UTF-8, without a byte order mark, until `take` returns false.
    static func read(_ bytes: [UInt8], _ take: (SubtitleEvent) -> Bool) {
        var reader = WebVTT()
        reader.read(lines(of: bytes), take)
    }

    /// Whether a file begins with the signature.
    static func isSigned(_ bytes: [UInt8]) -> Bool {
        let signature = "WEBVTT".utf8
        guard bytes.starts(with: signature) else { return false }
        return bytes.count == signature.count || [9, 10, 13, 32].contains(bytes[signature.count])
    }

    init() {}

    /// Creates a reader of a track's cues. `header` holds what comes before the first cue of a file: styles and regions.
    init(header: [UInt8]) { read(Self.lines(of: header)) { _ in false } }

    /// Returns the text of a track's cue as a line; nil if it is empty.
    func line(_ text: [UInt8], settings: [UInt8]) -> SubtitleLine? {
        let settings = CueSettings(String(decoding: settings, as: UTF8.self)[...])
        return line(Self.lines(of: text), settings)
    }

    /// Splits text into lines, which end with CR, LF or both. Cuts off each after `SubtitleLine.longestText` bytes.
    private static func lines(of bytes: [UInt8]) -> [Substring] {
        var lines: [Substring] = []
        var rest = bytes[...]
        while !rest.isEmpty, lines.count < mostLines {
            let end = rest.firstIndex { $0 == 10 || $0 == 13 } ?? rest.endIndex
            lines.append(Substring(decoding: rest[..<end].prefix(SubtitleLine.longestText), as: UTF8.self))
            let isPair = rest[end...].starts(with: [13, 10])
            rest = rest[end...].dropFirst(isPair ? 2 : 1)
        }
        return lines
    }

    // MARK: - Blocks

    private mutating func read(_ lines: [Substring], _ take: (SubtitleEvent) -> Bool) {
        var index = lines.startIndex
        while index < lines.endIndex {
            let line = lines[index]
            if let times = CueTimes(line) {
                let start = index + 1
                index = Self.end(of: lines, from: start)
                let settings = CueSettings(times.settings)
                guard let text = self.line(Array(lines[start..<index]), settings) else { continue }
                let event = SubtitleEvent(start: times.start, duration: times.duration, content: .line(text))
                if let event, !take(event) { return }
            } else if line.hasPrefix("STYLE") {
                let start = index + 1
                index = Self.end(of: lines, from: start)
                style.addColors(takeStyle(lines[start..<index]))
            } else if line.hasPrefix("REGION") {
                let start = index + 1
                index = Self.end(of: lines, from: start)
                style.addRegion(takeStyle(lines[start..<index]))
            } else if line.hasPrefix("NOTE") {
                index = Self.end(of: lines, from: index + 1)
            } else {
                // The signature, a cue's name, or nothing that is known.
                index += 1
            }
        }
    }

    /// Joins the lines of a block, and counts them in `styleBytes`. Returns nothing once too many have been joined.
    private mutating func takeStyle(_ lines: ArraySlice<Substring>) -> String {
        styleBytes -= lines.reduce(0) { $0 + $1.utf8.count + 1 }
        return styleBytes >= 0 ? lines.joined(separator: " ") : ""
    }

    /// Returns the index of the line after a block: an empty one, or one with the times of the next cue.
    private static func end(of lines: [Substring], from start: Int) -> Int {
        lines[start...].firstIndex { $0.isEmpty || $0.contains("-->") } ?? lines.endIndex
    }

    private func line(_ lines: [Substring], _ settings: CueSettings) -> SubtitleLine? {
        // Before parsing, since tags may be many. By scalars, since a character may have any length.
        let joined = lines.prefix(SubtitleLine.mostLines).joined(separator: "\n")
        let text = String(joined.unicodeScalars.prefix(SubtitleLine.longestText))
        let ass = CueText(style).ass(text)
        guard !ass.isEmpty else { return nil }
        let place = settings.place(lineCount: lines.count, regions: style.regions)
        return SubtitleLine(
            event: "0,0,Default,,\(place.marginLeft),\(place.marginRight),\(place.marginVertical),,\(place.tags)\(ass)")
    }
}

/// The times in a cue's first line, in nanoseconds, and the settings after them.
private struct CueTimes {
    var start: Int64
    var duration: Int64
    var settings: Substring

    init?(_ line: Substring) {
        guard let arrow = line.firstRange(of: "-->") else { return nil }
        let after = line[arrow.upperBound...].drop { $0 == " " || $0 == "\t" }
        let end = after.prefix { $0 != " " && $0 != "\t" }
        guard let from = Self.time(line[..<arrow.lowerBound]), let until = Self.time(end), until > from else {
            return nil
        }
        (start, duration, settings) = (from, until - from, after[end.endIndex...])
    }

    /// Parses `MM:SS.mmm` or `H:MM:SS.mmm`, of at most 100,000 hours.
    private static func time(_ text: Substring) -> Int64? {
        let parts = text.drop { $0 == " " || $0 == "\t" }.prefix { $0 != " " && $0 != "\t" }
            .split(separator: ":", omittingEmptySubsequences: false)
        guard (2...3).contains(parts.count), let last = parts.last else { return nil }
        let seconds = last.split(omittingEmptySubsequences: false) { $0 == "." || $0 == "," }
        guard seconds.count <= 2 else { return nil }
        let fraction = seconds.count == 2 ? String(seconds[1].prefix(3)) : "0"
        var total: Int64 = 0
        for part in parts.dropLast() + [seconds[0]] {
            guard !part.isEmpty, part.utf8.count <= 6, part.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
                let number = Int64(part)
            else { return nil }
            total = total * 60 + number
        }
        guard !fraction.isEmpty, fraction.utf8.allSatisfy({ (0x30...0x39).contains($0) }), total < 360_000_000,
            let digits = Int64(fraction)
        else { return nil }
        let scale: Int64 = fraction.utf8.count == 1 ? 100 : fraction.utf8.count == 2 ? 10 : 1
        return (total * 1000 + digits * scale) * 1_000_000
    }
}
