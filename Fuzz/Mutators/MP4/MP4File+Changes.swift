extension MP4File {
    package mutating func change(using random: inout SeededRandom) {
        switch random.below(16) {
        case 0...3: forest.rearrange(using: &random)
        case 4:
            guard let path = forest.paths.randomElement(using: &random) else { return }
            let size = UInt64(Self.size(forest[path]))
            forest[path].header.claimedSize = random.pick([
                size + 1, size - 1, size * 2, 0, 7, ExtremeNumbers.integer(using: &random),
            ])
        case 5: changeHeader(using: &random)
        default: changeValue(using: &random)
        }
    }

    /// Changes a random box's type, or how its size is encoded.
    private mutating func changeHeader(using random: inout SeededRandom) {
        let paths = forest.paths
        guard let path = paths.randomElement(using: &random) else { return }
        if random.oneIn(3) {
            forest[path].header.form = random.pick([.short, .long, .toEnd])
        } else if random.oneIn(2), let other = paths.randomElement(using: &random) {
            forest[path].header.type = forest[other].header.type
        } else {
            forest[path].header.type = Self.type(random.pick(Self.types))
        }
    }

    private static let types = [
        "avc1", "hvc1", "vp09", "av01", "mp4v", "png ", "jpeg", "rle ", "mp4a", "Opus", "fLaC", "ac-3", "alac", "ulaw",
        "sowt", "tx3g", "wvtt", "c608", "stsz", "stz2", "stco", "co64", "stts", "ctts", "stsc", "stss", "stps", "sdtp",
        "elst", "cslg", "sgpd", "sbgp", "saiz", "saio", "senc", "pssh", "tenc", "sidx", "ssix", "prft", "emsg", "uuid",
        "mdat", "free", "esds", "avcC", "hvcC", "vpcC", "av1C", "dOps", "dfLa", "colr", "pasp", "clap", "mdcv", "clli",
        "st3d",
        "sv3d", "chpl", "chap", "covr", "data", "name", "mean", "cmov", "dcom", "cmvd", "rmra", "rmda", "rdrf",
    ]

    /// Writes an extreme number into a field of a random box, or mutates a box without fields in another way.
    ///
    /// Fields are assumed to start at a multiple of their width, or two bytes after one. All boxes are equally
    /// likely: most bytes of a file are media data, but the other boxes matter more.
    private mutating func changeValue(using random: inout SeededRandom) {
        guard let path = forest.paths.randomElement(using: &random) else { return }
        let box = forest[path]
        switch box.content {
        case .elements(var prefix, let children):
            guard !prefix.isEmpty else { return forest.rearrange(using: &random) }
            Self.changeField(&prefix, using: &random)
            forest[path].content = .elements(prefix: prefix, children)
        case .bytes(var bytes):
            if bytes.isEmpty || random.oneIn(5) {
                ByteChanges.change(&bytes, using: &random)
            } else if Self.texts.contains(box.header.type), random.oneIn(2) {
                let text = HostileText.bytes(after: Array(bytes.dropFirst(8)), using: &random)
                bytes = bytes.prefix(8) + text
            } else {
                Self.changeField(&bytes, using: &random)
            }
            forest[path].content = .bytes(bytes)
        }
    }

    private static let texts = Set(["data", "hdlr", "name", "tx3g", "chpl"].map(type))

    private static func changeField(_ bytes: inout [UInt8], using random: inout SeededRandom) {
        // Prefers the first 64 bytes, where counts and scales are.
        let reach = random.oneIn(4) ? bytes.count : min(bytes.count, 64)
        let width = random.pick([1, 2, 4, 4, 4, 4, 8])
        let place = random.below(max(1, reach / width)) * width + (width == 4 && random.oneIn(8) ? 2 : 0)
        let number = ExtremeNumbers.bigEndian(ExtremeNumbers.integer(using: &random), count: width)
        for (index, byte) in number.enumerated() where place + index < bytes.count { bytes[place + index] = byte }
    }
}
