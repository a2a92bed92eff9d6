/// A file parsed into its structure, to be mutated and written again with correct lengths.
public protocol StructuredFile: Sendable {
    /// Nil if `bytes` do not start like such a file. Parts that cannot be parsed are kept as they are.
    init?(_ bytes: [UInt8])

    /// The file. Without mutations, the bytes that it was parsed from.
    var bytes: [UInt8] { get }

    /// Applies one mutation.
    mutating func change(using random: inout SeededRandom)
}

public enum StructuredFiles {
    /// Parses `bytes` by their format; nil if it is not a known one.
    public static func open(_ bytes: [UInt8]) -> (any StructuredFile)? {
        MatroskaFile(bytes) ?? MP4File(bytes) ?? TransportStream(bytes) ?? OggFile(bytes)
    }

    /// Returns `bytes` with a mutated structure, and occasionally some mutated bytes. Nil if the format is not a known
    /// one, or the result is longer than `limit`.
    public static func changed(_ bytes: [UInt8], limit: Int, using random: inout SeededRandom) -> [UInt8]? {
        guard var file = open(bytes) else { return nil }
        // Most harmful files differ from a valid one in one place; some need several.
        for _ in 0..<(random.oneIn(2) ? 1 : 1 + random.below(6)) { file.change(using: &random) }
        var changed = file.bytes
        if random.oneIn(16) { ByteChanges.change(&changed, using: &random) }
        return changed.count <= limit ? changed : nil
    }
}
