import GlissadeCXML2
import GlissadeMedia
import GlissadePlatform

/// Reads TTML (https://www.w3.org/TR/ttml2/), for which FFmpeg has no reader: paragraphs with their times, colors, weights
/// and slants, and the parts of the video that regions name. Not thread-safe.
final class TTML {
    private let take: (SubtitleEvent) -> Bool
    private var isStopped = false
    private var frameRate = 30.0
    private var tickRate = 1.0
    private var styles: [String: Style] = [:]
    private var regions: [String: Region] = [:]
    private var elements: [Element] = []
    /// The paragraph that is being read, as text of SubStation Alpha; nil outside of a paragraph.
    private var text: String?

    private static let mostEntries = 1000
    private static let chunk = 1 << 16

    private struct Style {
        var color: String?
        var isItalic: Bool?
        var isBold: Bool?
        var isUnderlined: Bool?
        var align: String?

        mutating func add(_ other: Style) {
            color = other.color ?? color
            isItalic = other.isItalic ?? isItalic
            isBold = other.isBold ?? isBold
            isUnderlined = other.isUnderlined ?? isUnderlined
            align = other.align ?? align
        }

        /// The tags for what differs from `other`.
        func tags(after other: Style) -> String {
            var tags = ""
            func add(_ name: String, _ value: Bool?, _ old: Bool?) {
                if value ?? false != old ?? false { tags += "\\\(name)\(value == true ? 1 : 0)" }
            }
            add("i", isItalic, other.isItalic)
            add("b", isBold, other.isBold)
            add("u", isUnderlined, other.isUnderlined)
            if color != other.color { tags += color ?? "\\c" }
            return tags.isEmpty ? "" : "{\(tags)}"
        }
    }

    private struct Region {
        /// Percentages of the video: left, top, width and height; nil if unknown.
        var origin: (x: Double, y: Double)?
        var extent: (x: Double, y: Double)?
        var displayAlign = "after"
        var style = Style()
    }

    private struct Element {
        var name: String
        var style: Style
        var region: String?
        /// The interval in which the element is active, in nanoseconds. `end` is nil if it is open.
        var begin: Int64
        var end: Int64?
    }

    /// Whether text in UTF-8 is TTML.
    static func isTTML(_ bytes: [UInt8]) -> Bool {
        guard bytes.first(where: { !isSpace($0) }) == UInt8(ascii: "<") else { return false }
        let head = String(decoding: bytes.prefix(4096), as: UTF8.self)
        return head.contains("http://www.w3.org/ns/ttml") || head.contains("http://www.w3.org/2006/")
    }

    /// Reads the events of a file in UTF-8, until `take` returns false.
    static func read(_ bytes: [UInt8], _ take: (SubtitleEvent) -> Bool) {
        // The declaration may name the encoding that the text had before.
        var start = bytes.firstIndex { !isSpace($0) } ?? 0
        if bytes[start...].starts(with: "<?xml".utf8), let end = bytes[start...].firstIndex(of: UInt8(ascii: ">")) {
            start = end + 1
        }
        withoutActuallyEscaping(take) { take in
            let reader = TTML(take)
            withExtendedLifetime(reader) { reader.parse(Array(bytes[start...])) }
        }
    }

    private init(_ take: @escaping (SubtitleEvent) -> Bool) { self.take = take }

    private static func isSpace(_ byte: UInt8) -> Bool { [9, 10, 13, 32].contains(byte) }

    // MARK: - XML

    private func parse(_ bytes: [UInt8]) {
        let context = Unmanaged.passUnretained(self).toOpaque()
        let parser = glissade_xml_parser(context) { context, name, _, _, _, _, count, _, attributes in
            TTML.of(context).start(TTML.string(name), attributes, Int(count))
        } _: { context, _, _, _ in
            TTML.of(context).end()
        } _: { context, text, count in
            TTML.of(context).append(text, Int(count))
        }
        guard let parser else { return }
        defer {
            if let document = parser.pointee.myDoc { xmlFreeDoc(document) }
            xmlFreeParserCtxt(parser)
        }
        let length = XMLBounds.prefix(of: bytes)
        bytes.withUnsafeBytes { buffer in
            guard let base = buffer.baseAddress?.assumingMemoryBound(to: CChar.self) else { return }
            for start in stride(from: 0, to: length, by: Self.chunk) where !isStopped {
                xmlParseChunk(parser, base + start, CInt(min(Self.chunk, length - start)), 0)
            }
        }
        xmlParseChunk(parser, nil, 0, 1)
    }

    private static func of(_ context: UnsafeMutableRawPointer?) -> TTML {
        Unmanaged.fromOpaque(context!).takeUnretainedValue()  // The context passed to `glissade_xml_parser`.
    }

    private static func string(_ text: UnsafePointer<xmlChar>?) -> String {
        text.map {
            String(decoding: UnsafeBufferPointer(start: $0, count: min(xmlStrlenBounded($0), 64)), as: UTF8.self)
        } ?? ""
    }

    private static func xmlStrlenBounded(_ text: UnsafePointer<xmlChar>) -> Int {
        var count = 0
        while count < 64, text[count] != 0 { count += 1 }
        return count
    }

    private func start(
        _ name: String, _ list: UnsafeMutablePointer<UnsafePointer<xmlChar>?>?, _ count: Int
    ) {
        var attributes: [String: String] = [:]
        // Five pointers for each attribute: name, prefix, URI, and the start and end of the value.
        for index in 0..<min(count, 64) {
            guard let list, let start = list[index * 5 + 3], let end = list[index * 5 + 4] else { continue }
            let value = UnsafeBufferPointer(start: start, count: min(end - start, 256))
            attributes[Self.string(list[index * 5])] = String(decoding: value, as: UTF8.self)
        }
        let parent = elements.last ?? Element(name: "", style: Style(), region: nil, begin: 0, end: nil)
        var own = Style()
        for reference in (attributes["style"] ?? "").split(separator: " ").prefix(16) {
            if let style = styles[String(reference)] { own.add(style) }
        }
        own.add(Self.style(attributes))
        switch name {
        case "tt":
            frameRate =
                attributes["frameRate"].flatMap { Double($0) }.flatMap { (1...1000).contains($0) ? $0 : nil } ?? 30
            let factors = (attributes["frameRateMultiplier"] ?? "").split { $0 == " " || $0 == ":" }.compactMap {
                Double($0)
            }
            if factors.count == 2, factors[0] > 0, factors[1] > 0 { frameRate *= factors[0] / factors[1] }
            tickRate =
                attributes["tickRate"].flatMap { Double($0) }.flatMap { (1...1e12).contains($0) ? $0 : nil }
                ?? (attributes["frameRate"] == nil ? 1 : frameRate)
        case "style":
            if let id = attributes["id"], parent.name != "region", styles.count < Self.mostEntries { styles[id] = own }
            // A style in a region is the region's.
            if parent.name == "region", let id = parent.region {
                regions[id]?.style.add(own)
                Self.place(attributes, &regions[id, default: Region()])
            }
        case "region":
            if let id = attributes["id"], regions.count < Self.mostEntries {
                var region = Region()
                region.style = own
                Self.place(attributes, &region)
                regions[id] = region
            }
        default: break
        }
        var element = parent
        element.name = name
        element.region = (name == "region" ? attributes["id"] : attributes["region"]) ?? parent.region
        if name == "p", let region = element.region.flatMap({ regions[$0] }) {
            var style = region.style
            style.add(parent.style)
            element.style = style
        }
        element.style.add(own)
        if let begin = attributes["begin"].flatMap(time) { element.begin = parent.begin.addingClamped(begin) }
        if let end = attributes["end"].flatMap(time) { element.end = parent.begin.addingClamped(end) }
        if let length = attributes["dur"].flatMap(time) {
            let end = element.begin.addingClamped(length)
            element.end = element.end.map { min($0, end) } ?? end
        }
        if let limit = parent.end { element.end = min(element.end ?? limit, limit) }
        elements.append(element)
        if name == "p" {
            text = element.style.tags(after: Style())
        } else if name == "br" {
            text?.append("\\N")
        } else if name == "span" {
            text?.append(element.style.tags(after: parent.style))
        }
    }

    private func end() {
        guard let element = elements.popLast() else { return }
        if element.name == "span", let parent = elements.last { text?.append(parent.style.tags(after: element.style)) }
        guard element.name == "p", let text = text.take(), !isStopped else { return }
        guard AssMarkup(text[...]).plain.isEmpty == false else { return }
        let place = place(of: element)
        let line = SubtitleLine(
            event: "0,0,Default,,\(place.left),\(place.right),\(place.vertical),,\(place.tags)\(Self.trimmed(text))")
        let length = element.end.map { $0.subtractingClamped(element.begin) } ?? SubtitleEvent.presumedLength
        let event = line.flatMap { SubtitleEvent(start: element.begin, duration: length, content: .line($0)) }
        if let event, !take(event) { isStopped = true }
    }

    private func append(_ piece: UnsafePointer<xmlChar>?, _ count: Int) {
        // Taken out, so that appending does not copy it.
        guard let piece, var text = text.take() else { return }
        defer { self.text = text }
        guard text.utf8.count < SubtitleLine.longestText else { return }
        // White space is collapsed, as by default in XML.
        for sign in String(decoding: UnsafeBufferPointer(start: piece, count: count), as: UTF8.self) {
            if sign.isWhitespace, sign != "\u{A0}" {
                if !text.hasSuffix(" "), !text.hasSuffix("\\N") { text.append(" ") }
            } else {
                CueText.append(sign, to: &text)
            }
        }
    }

    /// Returns text without spaces before line feeds and at its end.
    private static func trimmed(_ text: String) -> String {
        var text = text.replacing(" \\N", with: "\\N")
        while text.hasSuffix(" ") { text.removeLast() }
        return text
    }

    // MARK: - Values

    private static func style(_ attributes: [String: String]) -> Style {
        Style(
            color: attributes["color"].flatMap { WebVTT.Style.color($0.lowercased()) },
            isItalic: attributes["fontStyle"].map { $0 != "normal" },
            isBold: attributes["fontWeight"].map { $0 == "bold" },
            isUnderlined: attributes["textDecoration"].map { $0 == "underline" }, align: attributes["textAlign"])
    }

    private static func place(_ attributes: [String: String], _ region: inout Region) {
        func pair(_ name: String) -> (x: Double, y: Double)? {
            let values = (attributes[name] ?? "").split(separator: " ").compactMap { CueSettings.percentage($0) }
            return values.count == 2 ? (values[0], values[1]) : nil
        }
        region.origin = pair("origin") ?? region.origin
        region.extent = pair("extent") ?? region.extent
        region.displayAlign = attributes["displayAlign"] ?? region.displayAlign
    }

    private func place(of element: Element) -> (left: Int, right: Int, vertical: Int, tags: String) {
        let column = ["left": 1, "start": 1, "right": 3, "end": 3][element.style.align ?? "center"] ?? 2
        guard let region = element.region.flatMap({ regions[$0] }) else {
            return (0, 0, 0, column == 2 ? "" : "{\\an\(column)}")
        }
        let row = region.displayAlign == "before" ? 6 : region.displayAlign == "center" ? 3 : 0
        var (left, right, vertical) = (0, 0, 0)
        if let origin = region.origin, let extent = region.extent {
            left = CueSettings.horizontalMargin(origin.x)
            right = CueSettings.horizontalMargin(100 - origin.x - extent.x)
            if row == 3 {
                let x = column == 1 ? origin.x : column == 3 ? origin.x + extent.x : origin.x + extent.x / 2
                let position = CueSettings.position(x: x, y: origin.y + extent.y / 2)
                return (left, right, 0, "{\\an\(column + row)\\pos(\(position.x),\(position.y))}")
            }
            vertical = CueSettings.verticalMargin(row == 6 ? origin.y : 100 - origin.y - extent.y)
        }
        return (left, right, vertical, column + row == 2 ? "" : "{\\an\(column + row)}")
    }

    /// Parses a time (section 12.3.1 of the standard): `H:M:S`, `H:M:S.fraction`, `H:M:S:frames`, or a number with a unit.
    /// The result is in nanoseconds.
    private func time(_ text: String) -> Int64? {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        var seconds = 0.0
        if parts.count >= 3 {
            for part in parts.prefix(3) {
                guard let value = Double(part), value >= 0 else { return nil }
                seconds = seconds * 60 + value
            }
            if parts.count == 4 {
                guard let frames = Double(parts[3].prefix { $0 != "." }), frames >= 0 else { return nil }
                seconds += frames / frameRate
            }
        } else {
            let unit = text.drop { $0.isNumber || $0 == "." }
            guard let value = Double(text.dropLast(unit.count)), value >= 0 else { return nil }
            switch unit {
            case "h": seconds = value * 3600
            case "m": seconds = value * 60
            case "s", "": seconds = value
            case "ms": seconds = value / 1000
            case "f": seconds = value / frameRate
            case "t": seconds = value / tickRate
            default: return nil
            }
        }
        guard seconds.isFinite, seconds < 1e9 else { return nil }
        return Int64((seconds * 1e9).rounded())
    }
}
