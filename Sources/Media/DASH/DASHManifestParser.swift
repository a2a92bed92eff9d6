import GlissadeCXML2
import GlissadePlatform

/// Parses a DASH manifest by libxml2, without building a tree. Entities are not expanded, and nothing else is opened.
/// Not thread-safe.
final class DASHManifestParser {
    private enum Element {
        case manifest, period, adaptationSet, representation, addressing, timeline, baseURL
        /// An element that is complete with its attributes, or that is not needed.
        case other
    }

    /// The attributes of an element, by name.
    private typealias Attributes = [String: String]

    private(set) var manifest = DASHManifest()
    /// The open elements, from the root.
    private var elements: [Element] = []
    /// The number of namespaces in each open element, from the root.
    private var namespaceCounts: [Int] = []
    private var namespaceCount: Int { namespaceCounts.last ?? 0 }
    private var hasTooManyNamespaces = false
    private var adaptationSet = DASHManifest.AdaptationSet()
    private var representation = DASHManifest.Representation()
    private var addressing = SegmentAddressing(.template)
    private var representationCount = 0
    private var text: [UInt8] = []

    /// The number of bytes that are passed to libxml2 at a time.
    private static let chunk = 1 << 16

    /// The maximum number of namespaces at a time. libxml2 compares each prefix with all of them.
    private static let mostNamespaces = 64

    /// Parses a whole document. Returns false if it is not a well-formed manifest, or if parsing it may take long.
    func parse(_ bytes: [UInt8]) -> Bool {
        guard XMLBounds.prefix(of: bytes) == bytes.count else { return false }
        let context = Unmanaged.passUnretained(self).toOpaque()
        let parser = glissade_xml_parser(context) { context, name, _, _, namespaces, _, count, _, attributes in
            DASHManifestParser.of(context).start(name, Int(namespaces), attributes, Int(count))
        } _: { context, _, _, _ in
            DASHManifestParser.of(context).end()
        } _: { context, text, count in
            DASHManifestParser.of(context).append(text, Int(count))
        }
        guard let parser else { return false }
        // In other encodings, the byte of a less-than sign may be part of another character.
        xmlCtxtUseOptions(parser, parser.pointee.options | CInt(XML_PARSE_IGNORE_ENC.rawValue))
        defer {
            // There is a document if the file declares entities.
            if let document = parser.pointee.myDoc { xmlFreeDoc(document) }
            xmlFreeParserCtxt(parser)
        }
        bytes.withUnsafeBytes { buffer in
            guard let base = buffer.baseAddress?.assumingMemoryBound(to: CChar.self) else { return }
            for start in stride(from: 0, to: buffer.count, by: Self.chunk)
            where parser.pointee.wellFormed != 0 && !hasTooManyNamespaces {
                xmlParseChunk(parser, base + start, CInt(min(Self.chunk, buffer.count - start)), 0)
            }
        }
        xmlParseChunk(parser, nil, 0, 1)
        return parser.pointee.wellFormed != 0 && !hasTooManyNamespaces && manifest.periodCount > 0
    }

    private static func of(_ context: UnsafeMutableRawPointer?) -> DASHManifestParser {
        Unmanaged.fromOpaque(context!).takeUnretainedValue()  // The context passed to `glissade_xml_parser`.
    }

    // MARK: - Elements

    private func start(
        _ name: UnsafePointer<xmlChar>?, _ namespaces: Int,
        _ attributes: UnsafeMutablePointer<UnsafePointer<xmlChar>?>?, _ count: Int
    ) {
        namespaceCounts.append(namespaceCount + namespaces)
        if namespaceCount > Self.mostNamespaces { hasTooManyNamespaces = true }
        let name = name.map { String(cString: $0) } ?? ""
        let parent = elements.last
        let element = Self.element(name, in: parent)
        // Only the first period is read.
        let isSkipped = element == .period && manifest.periodCount > 0
        elements.append(isSkipped ? .other : element)
        if parent == .other { return }
        let values = Self.values(attributes, count)
        switch element {
        case .manifest:
            manifest.isLive = values["type"] == "dynamic"
            manifest.duration = values["mediaPresentationDuration"].flatMap(DASHManifest.seconds)
        case .period:
            manifest.periodCount += 1
            if !isSkipped { manifest.periodDuration = values["duration"].flatMap(DASHManifest.seconds) }
        case .adaptationSet:
            adaptationSet = DASHManifest.AdaptationSet()
            adaptationSet.id = values["id"] ?? ""
            adaptationSet.contentType = values["contentType"]
            adaptationSet.language = values["lang"]
            Self.read(values, into: &adaptationSet.properties)
        case .representation:
            representation = DASHManifest.Representation()
            representation.id = values["id"] ?? ""
            representation.bandwidth = Int(max(0, Self.number(values["bandwidth"]) ?? 0))
            Self.read(values, into: &representation.properties)
        case .addressing: startAddressing(name, values)
        case .timeline: addressing.timeline = []
        case .baseURL: text.removeAll(keepingCapacity: true)
        case .other: startOther(name, in: parent, values)
        }
    }

    private static func element(_ name: String, in parent: Element?) -> Element {
        switch (parent, name) {
        case (nil, "MPD"): .manifest
        case (.manifest, "Period"): .period
        case (.period, "AdaptationSet"): .adaptationSet
        case (.adaptationSet, "Representation"): .representation
        case (.manifest, "BaseURL"), (.period, "BaseURL"), (.adaptationSet, "BaseURL"), (.representation, "BaseURL"):
            .baseURL
        case (.period, _), (.adaptationSet, _), (.representation, _):
            ["SegmentTemplate", "SegmentList", "SegmentBase"].contains(name) ? .addressing : .other
        case (.addressing, "SegmentTimeline"): .timeline
        default: .other
        }
    }

    private func startAddressing(_ name: String, _ values: Attributes) {
        addressing = SegmentAddressing(
            name == "SegmentTemplate" ? .template : name == "SegmentList" ? .list : .index)
        addressing.timescale = Self.number(values["timescale"])
        addressing.duration = Self.number(values["duration"])
        addressing.startNumber = Self.number(values["startNumber"])
        addressing.timeOffset = Self.number(values["presentationTimeOffset"])
        addressing.media = values["media"]
        addressing.initialization = values["initialization"].map { SegmentAddressing.Place(address: $0) }
        addressing.indexRange = Self.range(values["indexRange"])
    }

    /// Reads an element that is complete with its attributes.
    private func startOther(_ name: String, in parent: Element?, _ values: Attributes) {
        switch (parent, name) {
        case (.timeline, "S"):
            let repeats = Int64(values["r"] ?? "0")
            let duration = repeats == nil ? -1 : Self.number(values["d"]) ?? -1
            addressing.timeline?.append(
                SegmentAddressing.TimelineEntry(
                    start: Self.number(values["t"]), duration: duration, repeats: repeats ?? 0))
        case (.addressing, "Initialization"):
            addressing.initialization = SegmentAddressing.Place(
                address: values["sourceURL"], range: Self.range(values["range"]))
        case (.addressing, "SegmentURL"):
            addressing.segments.append(
                SegmentAddressing.Place(address: values["media"], range: Self.range(values["mediaRange"])))
        case (.adaptationSet, "ContentProtection"): adaptationSet.properties.isEncrypted = true
        case (.representation, "ContentProtection"): representation.properties.isEncrypted = true
        case (.adaptationSet, "EssentialProperty") where Self.isTrickPlay(values):
            adaptationSet.properties.isTrickPlay = true
        case (.representation, "EssentialProperty") where Self.isTrickPlay(values):
            representation.properties.isTrickPlay = true
        case (.adaptationSet, "Role"), (.adaptationSet, "Accessibility"):
            if let role = Self.role(values) { adaptationSet.roles.insert(role) }
        case (.adaptationSet, "Viewpoint"): adaptationSet.viewpoint = values["value"]
        case (.adaptationSet, "SupplementalProperty") where Self.isSwitching(values):
            adaptationSet.switchableSets = values["value"]?.split(separator: ",", maxSplits: 64).map(Self.trimmed)
        default: break
        }
    }

    private func end() {
        namespaceCounts.removeLast()
        guard let element = elements.popLast() else { return }
        switch (element, elements.last) {
        case (.adaptationSet, _):
            if !adaptationSet.representations.isEmpty { manifest.sets.append(adaptationSet) }
        case (.representation, _):
            representationCount += 1
            guard representationCount <= DASHManifest.mostRepresentations else { return }
            adaptationSet.representations.append(representation)
        case (.addressing, .period): manifest.periodAddressing = addressing
        case (.addressing, .adaptationSet): adaptationSet.properties.addressing = addressing
        case (.addressing, .representation): representation.properties.addressing = addressing
        // Of several base URLs, which are copies, the first one is used.
        case (.baseURL, .manifest): manifest.baseURL = manifest.baseURL ?? trimmedText
        case (.baseURL, .period): manifest.periodBaseURL = manifest.periodBaseURL ?? trimmedText
        case (.baseURL, .adaptationSet):
            adaptationSet.properties.baseURL = adaptationSet.properties.baseURL ?? trimmedText
        case (.baseURL, .representation):
            representation.properties.baseURL = representation.properties.baseURL ?? trimmedText
        default: break
        }
    }

    private func append(_ piece: UnsafePointer<xmlChar>?, _ count: Int) {
        let room = DASHManifest.longestText - text.count
        guard elements.last == .baseURL, let piece, room > 0 else { return }
        text += UnsafeBufferPointer(start: piece, count: min(count, room))
    }

    private var trimmedText: String { Self.trimmed(String(decoding: text, as: UTF8.self)[...]) }

    private static func trimmed(_ text: Substring) -> String {
        let isSpace = { (byte: UInt8) in " \t\r\n".utf8.contains(byte) }
        let start = text.utf8.drop(while: isSpace)
        let end = start.lastIndex { !isSpace($0) }.map { start.index(after: $0) } ?? start.startIndex
        return String(Substring(start[..<end]))
    }

    // MARK: - Attributes

    private static func values(
        _ attributes: UnsafeMutablePointer<UnsafePointer<xmlChar>?>?, _ count: Int
    ) -> Attributes {
        guard let attributes else { return [:] }
        var values: Attributes = [:]
        // Five pointers for each attribute: name, prefix, URI, and the start and end of the value.
        for index in 0..<count {
            guard let name = attributes[index * 5], let start = attributes[index * 5 + 3],
                let end = attributes[index * 5 + 4]
            else { continue }
            let bytes = UnsafeBufferPointer(start: start, count: min(end - start, DASHManifest.longestText))
            let text = String(decoding: bytes, as: UTF8.self)
            // libxml2 leaves an ampersand as a reference.
            values[String(cString: name)] =
                bytes.contains(UInt8(ascii: "&")) ? text.replacing("&#38;", with: "&") : text
        }
        return values
    }

    private static func read(_ values: Attributes, into properties: inout DASHManifest.Properties) {
        properties.mimeType = values["mimeType"]
        properties.codecs = values["codecs"]
    }

    /// Returns a number; -1 if it is malformed, negative or too large, and nil if `text` is nil.
    private static func number(_ text: String?) -> Int64? {
        guard let text else { return nil }
        return Int64(text).flatMap { (0...SegmentAddressing.largest).contains($0) ? $0 : nil } ?? -1
    }

    /// Returns the range of bytes from `first-last`; an empty range if it is malformed, and nil if `text` is nil.
    private static func range(_ text: String?) -> Range<Int64>? {
        guard let text else { return nil }
        let ends = text.split(separator: "-", omittingEmptySubsequences: false).map { number(String($0)) ?? -1 }
        guard ends.count == 2, ends[0] >= 0, ends[1] >= ends[0] else { return 0..<0 }
        return ends[0]..<ends[1] + 1
    }

    /// Returns the role that a descriptor gives to a set; nil if it is unknown.
    private static func role(_ values: Attributes) -> DASHRole? {
        // The DVB classification of audio (ETSI TS 103 285, 6.1.2): 1 is for the visually impaired.
        let isPurpose = values["schemeIdUri"]?.hasPrefix("urn:tva:metadata:cs:AudioPurposeCS:") == true
        return isPurpose
            ? (values["value"] == "1" ? .description : nil) : values["value"].flatMap(DASHRole.init(rawValue:))
    }

    /// Whether a `SupplementalProperty` lists the sets between which a player may switch (ISO/IEC 23009-1, 5.3.3.5).
    private static func isSwitching(_ values: Attributes) -> Bool {
        values["schemeIdUri"] == "urn:mpeg:dash:adaptation-set-switching:2016"
    }

    /// Whether an `EssentialProperty` marks video for fast forward (DASH-IF IOP, 3.2.9).
    private static func isTrickPlay(_ values: Attributes) -> Bool {
        values["schemeIdUri"]?.hasSuffix("dashif.org/guidelines/trickmode") == true
    }
}
