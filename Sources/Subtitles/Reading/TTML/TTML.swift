import GlissadeCXML2
import GlissadeMedia
import GlissadePlatform

/// Reads TTML (https://www.w3.org/TR/ttml2/), for which FFmpeg has no reader: paragraphs with the times of their parts, colors,
/// weights and slants, and the parts of the video that regions name. Not thread-safe.
final class TTML {
    /// Takes the next event. Returns false to end the reading.
    typealias Take = (SubtitleEvent) -> Bool

    private let take: Take
    /// The interval outside of which nothing is shown, in nanoseconds; nil if there is none.
    private let limits: Range<Int64>?
    private var isStopped = false
    private var units = Units()
    private var styles: [String: Style] = [:]
    private var regions: [String: Style] = [:]
    private var elements: [Element] = []
    /// The paragraph that is being read; nil outside of a paragraph.
    private var paragraph: Paragraph?

    private static let mostEntries = 1000
    private static let chunk = 1 << 16

    /// Whether text in UTF-8 is TTML.
    static func isTTML(_ bytes: [UInt8]) -> Bool {
        guard bytes.first(where: { !isSpace($0) }) == UInt8(ascii: "<") else { return false }
        let head = String(decoding: bytes.prefix(4096), as: UTF8.self)
        return head.contains("http://www.w3.org/ns/ttml") || head.contains("http://www.w3.org/2006/")
    }

    /// Reads the events of a document in UTF-8, until `take` returns false.
    ///
    /// - Parameter limits: The interval outside of which nothing is shown, in nanoseconds, as for a document in a packet.
    static func read(_ bytes: [UInt8], during limits: Range<Int64>? = nil, _ take: Take) {
        // The declaration may name the encoding that the text had before.
        var start = bytes.firstIndex { !isSpace($0) } ?? 0
        if bytes[start...].starts(with: "<?xml".utf8), let end = bytes[start...].firstIndex(of: UInt8(ascii: ">")) {
            start = end + 1
        }
        withoutActuallyEscaping(take) { take in
            let reader = TTML(limits, take)
            withExtendedLifetime(reader) { reader.parse(Array(bytes[start...])) }
        }
    }

    private init(_ limits: Range<Int64>?, _ take: @escaping Take) { (self.limits, self.take) = (limits, take) }

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

    /// Returns the attributes of an element by their local names.
    private static func attributes(
        _ list: UnsafeMutablePointer<UnsafePointer<xmlChar>?>?, _ count: Int
    ) -> [String: String] {
        var attributes: [String: String] = [:]
        // Five pointers for each attribute: name, prefix, URI, and the start and end of the value.
        for index in 0..<min(count, 64) {
            guard let list, let start = list[index * 5 + 3], let end = list[index * 5 + 4] else { continue }
            let value = UnsafeBufferPointer(start: start, count: min(end - start, 256))
            attributes[string(list[index * 5])] = String(decoding: value, as: UTF8.self)
        }
        return attributes
    }

    private func start(_ name: String, _ list: UnsafeMutablePointer<UnsafePointer<xmlChar>?>?, _ count: Int) {
        let attributes = Self.attributes(list, count)
        if name == "tt" { units = Units(attributes) }
        let parent = elements.last ?? Element(name: "", begin: 0, end: limits?.upperBound)
        var own = Style()
        for reference in (attributes["style"] ?? "").split(separator: " ").prefix(16) {
            if let style = styles[String(reference)] { own.add(style) }
        }
        own.add(Style(attributes, units))
        switch name {
        // A style in a region is the region's.
        case "style" where parent.name == "region": if let id = parent.region { regions[id]?.add(own) }
        case "style": if let id = attributes["id"], styles.count < Self.mostEntries { styles[id] = own }
        case "region": if let id = attributes["id"], regions.count < Self.mostEntries { regions[id] = own }
        default: break
        }
        var element = Element(name: name, attributes, in: parent, units)
        element.style = parent.style
        if name == "p", let region = element.region.flatMap({ regions[$0] }) {
            element.style = region
            element.style.add(parent.style)
        }
        element.style.add(own)
        elements.append(element)
        switch name {
        case "p": paragraph = Paragraph(element)
        case "span":
            // Some programs name the region of a paragraph in what it consists of.
            if let region = attributes["region"], paragraph?.region == nil { paragraph?.region = region }
            paragraph?.append(tags: element.style.tags(after: parent.style), of: element)
        case "br": paragraph?.breakLine(of: parent)
        default: break
        }
    }

    private func end() {
        guard let element = elements.popLast() else { return }
        if let index = elements.indices.last { elements[index].ended(element) }
        if element.name == "span", let parent = elements.last {
            paragraph?.append(tags: parent.style.tags(after: element.style), of: element)
        }
        guard element.name == "p", let paragraph = paragraph.take() else { return }
        paragraph.forEachText(until: elements.last?.isSequence == true ? element.implicitEnd : element.end) {
            text, begin, end in
            let region = paragraph.region.flatMap { regions[$0] }
            let place = place(in: region, element.style.align ?? region?.align)
            let line = SubtitleLine(
                event: "0,0,Default,,\(place.left),\(place.right),\(place.vertical),,\(place.tags)\(text)")
            let start = max(begin, limits?.lowerBound ?? begin)
            let length = end?.subtractingClamped(start) ?? SubtitleEvent.presumedLength
            let event = line.flatMap { SubtitleEvent(start: start, duration: length, content: .line($0)) }
            if let event, !isStopped { isStopped = !take(event) }
        }
    }

    private func append(_ piece: UnsafePointer<xmlChar>?, _ count: Int) {
        // Paragraphs may contain descriptions of themselves.
        guard let piece, let element = elements.last, element.name == "p" || element.name == "span",
            element.style.isHidden != true
        else { return }
        paragraph?.append(String(decoding: UnsafeBufferPointer(start: piece, count: count), as: UTF8.self), of: element)
    }

    private func place(in region: Style?, _ align: String?) -> (left: Int, right: Int, vertical: Int, tags: String) {
        let column = ["left": 1, "start": 1, "right": 3, "end": 3][align ?? "center"] ?? 2
        guard let region else { return (0, 0, 0, column == 2 ? "" : "{\\an\(column)}") }
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
}

extension TTML {
    /// An element that is open. Times are in nanoseconds.
    fileprivate struct Element {
        var name: String
        var style = Style()
        var region: String?
        /// The interval in which the element is active. `end` is nil if it is open.
        var begin: Int64
        var end: Int64?
        /// Whether the elements in it are active one after the other, rather than at the same time.
        var isSequence = false
        /// When the last element in it ends; nil if there is none, or if it never ends.
        private var lastEnd: Int64?
        private var isEmpty = true

        init(name: String, begin: Int64, end: Int64?) {
            (self.name, self.begin, self.end) = (name, begin, end)
        }

        init(name: String, _ attributes: [String: String], in parent: Element, _ units: Units) {
            self.init(name: name, begin: parent.begin, end: parent.end)
            region = (name == "region" ? attributes["id"] : attributes["region"]) ?? parent.region
            isSequence = attributes["timeContainer"] == "seq"
            // After an element without an end, others never begin.
            let origin = !parent.isSequence || parent.isEmpty ? parent.begin : parent.lastEnd ?? .max
            begin = origin.addingClamped(attributes["begin"].flatMap(units.time) ?? 0)
            var ends = [parent.end]
            ends.append(attributes["end"].flatMap(units.time).map { origin.addingClamped($0) })
            ends.append(attributes["dur"].flatMap(units.time).map { begin.addingClamped($0) })
            end = ends.compactMap { $0 }.min()
            hasOwnEnd = attributes["end"] != nil || attributes["dur"] != nil
        }

        private var hasOwnEnd = false

        /// The end in a sequence: the element's own, or that of what is in it.
        var implicitEnd: Int64 { hasOwnEnd ? end ?? .max : isEmpty ? begin : min(lastEnd ?? .max, end ?? .max) }

        /// Notes that an element in this one has ended.
        mutating func ended(_ element: Element) {
            guard ["body", "div", "p", "span"].contains(element.name) else { return }
            let end = isSequence ? element.implicitEnd : element.end ?? .max
            lastEnd = isSequence || isEmpty ? end : max(lastEnd ?? end, end)
            isEmpty = false
        }
    }

    /// The units of times and lengths in a document.
    fileprivate struct Units {
        private var frameRate = 30.0
        private var tickRate = 1.0
        private var cells = (x: 32.0, y: 15.0)
        /// The size of the video, in pixels; nil if unknown.
        private var pixels: (x: Double, y: Double)?

        init() {}

        init(_ attributes: [String: String]) {
            func numbers(_ name: String, _ unit: String = "") -> [Double] {
                (attributes[name] ?? "").split { $0 == " " || $0 == ":" }.compactMap {
                    $0.hasSuffix(unit) ? Self.number($0.dropLast(unit.count)) : nil
                }.filter { (1...1e12).contains($0) }
            }
            func pair(_ numbers: [Double]) -> (x: Double, y: Double)? {
                numbers.count == 2 ? (numbers[0], numbers[1]) : nil
            }
            let rate = numbers("frameRate").first.flatMap { $0 <= 1000 ? $0 : nil }
            frameRate = rate ?? 30
            if let factors = pair(numbers("frameRateMultiplier")) { frameRate *= factors.x / factors.y }
            tickRate = numbers("tickRate").first ?? (rate == nil ? 1 : frameRate)
            cells = pair(numbers("cellResolution")) ?? cells
            pixels = pair(numbers("extent", "px"))
        }

        /// Parses decimal digits with at most one point among or after them.
        private static func number(_ text: some StringProtocol) -> Double? {
            text.utf8.allSatisfy { (0x30...0x39).contains($0) || $0 == 0x2E } ? Double(text) : nil
        }

        /// Parses a time (section 12.3.1 of the standard): `H:M:S`, `H:M:S.fraction`, `H:M:S:frames`, or a number with a
        /// unit. The result is in nanoseconds.
        func time(_ text: String) -> Int64? {
            let parts = text.split(separator: ":", omittingEmptySubsequences: false)
            var seconds = 0.0
            if parts.count >= 3 {
                for part in parts.prefix(3) {
                    guard let value = Self.number(part) else { return nil }
                    seconds = seconds * 60 + value
                }
                if parts.count == 4 {
                    // After a point, there are parts of a frame.
                    guard let frames = Self.number(parts[3].prefix { $0 != "." }) else { return nil }
                    seconds += frames / frameRate
                }
            } else {
                let number = text.prefix { $0.isNumber || $0 == "." }
                guard let value = Self.number(number) else { return nil }
                switch text[number.endIndex...] {
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

        /// Parses two lengths, in percent, pixels or cells. The result is in percent of the video's width and height.
        func pair(_ text: String?) -> (x: Double, y: Double)? {
            let words = (text ?? "").split(separator: " ")
            func length(_ word: Substring, _ pixels: Double?, _ cells: Double) -> Double? {
                let number = word.prefix { $0.isNumber || $0 == "." }
                guard let value = Self.number(number) else { return nil }
                let part: Double
                switch word[number.endIndex...] {
                case "%": part = value
                case "px":
                    guard let pixels else { return nil }
                    part = value / pixels * 100
                case "c": part = value / cells * 100
                default: return nil
                }
                return (0...100).contains(part) ? part : nil
            }
            guard words.count == 2, let x = length(words[0], pixels?.x, cells.x),
                let y = length(words[1], pixels?.y, cells.y)
            else { return nil }
            return (x, y)
        }
    }

    fileprivate struct Style {
        private var color: String?
        private var isItalic: Bool?
        private var isBold: Bool?
        private var isUnderlined: Bool?
        private(set) var isHidden: Bool?
        private(set) var align: String?
        /// Of a region, in percent of the video: left and top, width and height; nil if unknown.
        private(set) var origin: (x: Double, y: Double)?
        private(set) var extent: (x: Double, y: Double)?
        private(set) var displayAlign: String?

        init() {}

        init(_ attributes: [String: String], _ units: Units) {
            color = attributes["color"].flatMap { WebVTT.Style.color($0.lowercased()) }
            isItalic = attributes["fontStyle"].map { $0 != "normal" }
            isBold = attributes["fontWeight"].map { $0 == "bold" }
            isUnderlined = attributes["textDecoration"].map { $0 == "underline" }
            isHidden = (attributes["visibility"] ?? attributes["display"]).map { $0 == "hidden" || $0 == "none" }
            align = attributes["textAlign"]
            origin = units.pair(attributes["origin"])
            extent = units.pair(attributes["extent"])
            displayAlign = attributes["displayAlign"]
        }

        mutating func add(_ other: Style) {
            color = other.color ?? color
            isItalic = other.isItalic ?? isItalic
            isBold = other.isBold ?? isBold
            isUnderlined = other.isUnderlined ?? isUnderlined
            isHidden = other.isHidden ?? isHidden
            align = other.align ?? align
            origin = other.origin ?? origin
            extent = other.extent ?? extent
            displayAlign = other.displayAlign ?? displayAlign
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

    /// The text of a paragraph, as that of SubStation Alpha. Parts of it may be shown at different times.
    fileprivate struct Paragraph {
        private struct Part {
            var text: String
            var hasText: Bool
            var begin: Int64
            var end: Int64?
        }

        var region: String?
        private let begin: Int64
        private var parts: [Part]
        private var byteCount = 0
        /// Whether a space would have no effect, as at the start of a line.
        private var isSpaced = true

        /// The maximum number of parts with times of their own. Those after it have the times of the last one.
        private static let mostParts = 64

        init(_ element: Element) {
            (region, begin) = (element.region, element.begin)
            let tags = element.style.tags(after: Style())
            parts = [Part(text: tags, hasText: false, begin: element.begin, end: element.end)]
        }

        mutating func append(tags: String, of element: Element) { append(tags, hasText: false, of: element) }

        mutating func breakLine(of element: Element) {
            append("\\N", hasText: false, of: element)
            isSpaced = true
        }

        /// Appends characters. White space is collapsed, as by default in XML.
        mutating func append(_ characters: String, of element: Element) {
            var text = ""
            var hasText = false
            for sign in characters.unicodeScalars {
                if sign.properties.isWhitespace, sign != "\u{A0}" {
                    if !isSpaced { text.append(" ") }
                    isSpaced = true
                } else {
                    CueText.append(sign, to: &text)
                    (isSpaced, hasText) = (false, true)
                }
            }
            append(text, hasText: hasText, of: element)
        }

        private mutating func append(_ text: String, hasText: Bool, of element: Element) {
            guard !text.isEmpty, byteCount < SubtitleLine.longestText else { return }
            byteCount += text.utf8.count
            let last = parts.count - 1
            let isSame = parts[last].begin == element.begin && parts[last].end == element.end
            if isSame || parts.count == Self.mostParts {
                parts[last].text += text
                parts[last].hasText = parts[last].hasText || hasText
            } else {
                parts.append(Part(text: text, hasText: hasText, begin: element.begin, end: element.end))
            }
        }

        /// Calls `body` for each interval in which the same parts are shown. The last end is nil if it is open.
        func forEachText(until end: Int64?, _ body: (_ text: String, _ begin: Int64, _ end: Int64?) -> Void) {
            let times = Set(parts.flatMap { [$0.begin, $0.end ?? begin] } + [begin])
                .filter { $0 >= begin && $0 < end ?? .max }.sorted()
            for (index, time) in times.enumerated() {
                let shown = parts.filter { $0.begin <= time && $0.end ?? .max > time }
                guard shown.contains(where: \.hasText) else { continue }
                let text = Self.trimmed(shown.map(\.text).joined())
                body(text, time, index + 1 < times.count ? times[index + 1] : end)
            }
        }

        /// Returns text without spaces before line feeds and at its end.
        private static func trimmed(_ text: String) -> String {
            var text = text.replacing(" \\N", with: "\\N")
            while text.hasSuffix(" ") { text.removeLast() }
            return text
        }
    }
}
