/// A parsed file whose structure can be mutated, and that can be written again with correct lengths.
package protocol StructuredFile: Sendable {
    /// Parses a file. Nil if `bytes` do not start like a file of this format. Parts that cannot be parsed are kept as
    /// bytes.
    init?(_ bytes: [UInt8])

    /// The written file. Without mutations, equals the bytes that were parsed.
    var bytes: [UInt8] { get }

    /// Applies one random mutation.
    mutating func change(using random: inout SeededRandom)
}

package enum StructuredFiles {
    /// Parses `bytes` in any of the known formats; nil if they are in none of these.
    package static func open(_ bytes: [UInt8]) -> (any StructuredFile)? {
        MatroskaFile(bytes) ?? MP4File(bytes) ?? TransportStream(bytes) ?? OggFile(bytes)
    }

    /// Returns `bytes` with a mutated structure, and occasionally with mutated bytes as well. Nil if the format is
    /// unknown, or if the result is longer than `limit`.
    package static func changed(_ bytes: [UInt8], limit: Int, using random: inout SeededRandom) -> [UInt8]? {
        guard var file = open(bytes) else { return nil }
        // One mutation is usually enough to find a fault, but some faults need several.
        for _ in 0..<(random.oneIn(2) ? 1 : 1 + random.below(6)) { file.change(using: &random) }
        var changed = file.bytes
        if random.oneIn(16) { ByteChanges.change(&changed, using: &random) }
        return changed.count <= limit ? changed : nil
    }
}
