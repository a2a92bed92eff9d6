/// A file taken apart into what it is built of, to be changed and written out again with its lengths put right.
public protocol StructuredFile: Sendable {
    /// Nil where `bytes` do not begin as such a file does. What cannot be understood further on is kept as it is.
    init?(_ bytes: [UInt8])

    /// The file. Of one that was not changed, the bytes that it was made of.
    var bytes: [UInt8] { get }

    /// Makes one change.
    mutating func change(using random: inout SeededRandom)
}

public enum StructuredFiles {
    /// Takes `bytes` apart by what they are; nil where no structure of them is known here.
    public static func open(_ bytes: [UInt8]) -> (any StructuredFile)? {
        MatroskaFile(bytes) ?? MP4File(bytes) ?? TransportStream(bytes) ?? OggFile(bytes)
    }

    /// `bytes` with some of what they are built of changed, and now and then some bytes as well; nil where no structure of
    /// them is known here, or the changes made it longer than `limit`.
    public static func changed(_ bytes: [UInt8], limit: Int, using random: inout SeededRandom) -> [UInt8]? {
        guard var file = open(bytes) else { return nil }
        // Most files that do harm differ in one place; some need several.
        for _ in 0..<(random.oneIn(2) ? 1 : 1 + random.below(6)) { file.change(using: &random) }
        var changed = file.bytes
        if random.oneIn(16) { ByteChanges.change(&changed, using: &random) }
        return changed.count <= limit ? changed : nil
    }
}
