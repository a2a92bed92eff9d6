/// A DASH manifest (ISO/IEC 23009-1), as it is written: no address is resolved, and nothing is inherited.
struct DASHManifest: Hashable, Sendable {
    /// What an adaptation set may say for all of its representations.
    struct Properties: Hashable, Sendable {
        var baseURL: String?
        var mimeType: String?
        var codecs: String?
        var addressing: SegmentAddressing?
        var isEncrypted = false
        /// Whether the video has only a few frames, for fast forward.
        var isTrickPlay = false
    }

    /// Streams with the same content, of which one plays at a time.
    struct AdaptationSet: Hashable, Sendable {
        var properties = Properties()
        /// `video`, `audio` or another kind; nil if the set does not say.
        var contentType: String?
        var language: String?
        var id = ""
        /// The known roles of the set.
        var roles: Set<DASHRole> = []
        /// The camera, or the place, from which the content was taken; nil if unknown.
        var viewpoint: String?
        /// The identifiers of sets with the same content, between which a player may switch; nil if unknown.
        var switchableSets: [String]?
        var representations: [Representation] = []
    }

    struct Representation: Hashable, Sendable {
        var properties = Properties()
        var id = ""
        /// The bit rate in bits per second; 0 if unknown.
        var bandwidth = 0
    }

    /// Whether the stream is live (`type="dynamic"`).
    var isLive = false
    /// The duration of the whole stream in seconds; nil if unknown.
    var duration: Double?
    var baseURL: String?
    var periodCount = 0
    /// The duration of the first period in seconds; nil if unknown.
    var periodDuration: Double?
    var periodBaseURL: String?
    var periodAddressing: SegmentAddressing?
    /// The adaptation sets of the first period that have representations.
    var sets: [AdaptationSet] = []

    /// The maximum number of representations to read. Further ones are skipped.
    static let mostRepresentations = 1000
    /// The maximum length of an attribute and of a base URL, in bytes. Longer ones are cut; an address is then too long
    /// to be used.
    static let longestText = 4096
    /// The longest plausible duration, in seconds.
    static let longestDuration = 1e8

    /// Parses a manifest.
    init(_ bytes: [UInt8]) throws(DASHFailure) {
        let parser = DASHManifestParser()
        guard parser.parse(bytes) else { throw .damaged }
        self = parser.manifest
    }

    /// Creates an empty manifest.
    init() {}

    /// Reads the start of a file to recognize a manifest.
    ///
    /// - Parameter read: Returns the next bytes of the file, at most as many as the parameter says.
    /// - Returns: What has been read, and whether it is the start of a manifest.
    static func readStart(_ read: (Int) -> [UInt8]) -> (bytes: [UInt8], isManifest: Bool) {
        var bytes = read(startBytes)
        if isManifest(bytes) == nil { bytes += read(mostStartBytes - bytes.count) }
        return (bytes, isManifest(bytes) == true)
    }

    /// How much of a file to read to recognize a manifest, in bytes. FFmpeg reads as much to recognize a format.
    private static let startBytes = 2048
    /// How much to read of a file that begins with long comments, in bytes.
    private static let mostStartBytes = 64 << 10

    /// Whether `bytes`, the start of a file, are the start of a manifest: an XML document with the root element `MPD`.
    /// Nil if they are the start of an XML document, and end before the name of its root element does.
    static func isManifest(_ bytes: some Sequence<UInt8>) -> Bool? {
        var rest = Array(bytes)[...]
        var isXML = false
        if rest.starts(with: [0xEF, 0xBB, 0xBF]) { rest = rest.dropFirst(3) }
        while true {
            rest = rest.drop { [0x20, 0x09, 0x0A, 0x0D].contains($0) }
            let end: StaticString
            if rest.starts(with: "<?".utf8) {
                end = "?>"
            } else if rest.starts(with: "<!--".utf8) {
                end = "-->"
            } else if rest.starts(with: "<!".utf8) {
                end = ">"
            } else {
                break
            }
            guard let next = rest.after(end) else { return nil }
            (rest, isXML) = (next, true)
        }
        guard let first = rest.popFirst() else { return isXML ? nil : false }
        guard first == UInt8(ascii: "<") else { return false }
        let name = rest.prefix { !" \t\r\n/>".utf8.contains($0) }
        guard name.endIndex < rest.endIndex else { return nil }
        // The name may have a prefix, which stands for a namespace.
        return name.elementsEqual("MPD".utf8) || name.suffix(4).elementsEqual(":MPD".utf8)
    }

    /// Returns a duration in seconds, such as 3723.5 for `PT1H2M3.5S` (XML Schema, `duration`); nil if it is malformed,
    /// negative or implausible. A month counts as 30 days, and a year as 365.
    static func seconds(_ text: String) -> Double? {
        var rest = Substring(text)
        guard text.utf8.count <= 64, rest.popFirst() == "P", !rest.isEmpty else { return nil }
        var (total, isTime) = (0.0, false)
        while let first = rest.first {
            if first == "T", !isTime {
                isTime = true
                rest.removeFirst()
                continue
            }
            let digits = rest.prefix { "0123456789.".contains($0) }
            rest = rest[digits.endIndex...]
            guard let number = Double(digits), let unit = rest.popFirst() else { return nil }
            switch (isTime, unit) {
            case (false, "Y"): total += number * 365 * 86400
            case (false, "M"): total += number * 30 * 86400
            case (false, "D"): total += number * 86400
            case (true, "H"): total += number * 3600
            case (true, "M"): total += number * 60
            case (true, "S"): total += number
            default: return nil
            }
        }
        return total <= longestDuration ? total : nil
    }
}

extension ArraySlice<UInt8> {
    /// Returns what follows the first occurrence of `mark`; nil if there is none.
    fileprivate func after(_ mark: StaticString) -> ArraySlice<UInt8>? {
        mark.withUTF8Buffer { mark in
            indices.first { self[$0] == mark[0] && self[$0...].starts(with: mark) }.map { self[($0 + mark.count)...] }
        }
    }
}
