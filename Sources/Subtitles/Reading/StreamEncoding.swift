/// Finds out the encoding of a stream of text, whose packets are too short to tell. The answer may change with each
/// packet until there is enough text. Confined to the thread that reads the stream.
struct StreamEncoding {
    /// The encoding that the user has chosen; nil if it is to be found out.
    private let chosen: SubtitleEncoding?
    private let hints: EncodingHints
    /// The packets that are not Unicode, with line feeds between them.
    private var sample: [UInt8] = []
    /// The length of `sample` at which the encoding is next looked for.
    private var nextLength = 1
    /// The encoding of packets that are not Unicode; nil if there was none yet.
    private(set) var found: SubtitleEncoding?

    /// The length of the sample, in bytes, from which the answer no longer changes.
    private static let enough = 1 << 14

    init(chosen: SubtitleEncoding? = nil, hints: EncodingHints = .none) {
        self.chosen = chosen
        self.hints = hints
        found = chosen
    }

    /// Whether the answer no longer changes.
    var isSettled: Bool { chosen != nil || sample.count >= Self.enough }

    /// Returns the text of a packet as UTF-8.
    ///
    /// - Parameter isNew: Whether the packet counts for the answer, because it has not been read before.
    mutating func text(_ bytes: [UInt8], isNew: Bool = true) -> [UInt8] {
        if isNew, !isSettled, !TextEncoding.isMostlyUTF8(bytes) {
            sample += bytes.prefix(Self.enough)
            sample.append(10)
            // Each look takes time in proportion to the sample.
            if sample.count >= nextLength {
                found = EncodingDetection.encoding(of: sample, hints)
                nextLength = sample.count * 3 / 2
            }
        }
        return TextEncoding.utf8(bytes, as: TextEncoding.isMostlyUTF8(bytes) ? nil : found, hints)
    }
}
