extension MatroskaFile {
    package mutating func change(using random: inout SeededRandom) {
        switch random.below(16) {
        case 0...3: forest.rearrange(using: &random)
        case 4: falsifyLength(using: &random)
        case 5: forest.removeAll { $0.header.id == MatroskaKind.checksumID }
        case 6: scatterTimes(using: &random)
        default: changeValue(using: &random)
        }
    }

    /// Gives a random element a wrong length, or marks its length as unknown.
    private mutating func falsifyLength(using random: inout SeededRandom) {
        guard let path = forest.paths.randomElement(using: &random) else { return }
        if random.oneIn(3) {
            forest[path].header.isLengthUnknown.toggle()
            return
        }
        let length = UInt64(Self.content(of: forest[path]).count)
        forest[path].header.claimedLength = random.pick([
            length &+ 1, length == 0 ? 0 : length - 1, length &* 2, 0, ExtremeNumbers.integer(using: &random) >> 8,
        ])
    }

    /// Sets the timestamp scale to 1 ns, and gives random 64-bit times to about half of the clusters.
    private mutating func scatterTimes(using random: inout SeededRandom) {
        for path in forest.paths {
            switch forest[path].header.id {
            case MatroskaKind.timestampScale: forest[path].content = .bytes([1])
            case MatroskaKind.timestamp where random.oneIn(2):
                let time = ExtremeNumbers.integer(using: &random)
                forest[path].content = .bytes(ExtremeNumbers.bigEndian(time, count: 8))
            default: break
            }
        }
    }

    /// Mutates the content of a random element, depending on its type.
    private mutating func changeValue(using random: inout SeededRandom) {
        let leaves = forest.paths.filter { !forest[$0].isContainer }
        // Prefers other elements to blocks, which are far more numerous.
        let described = leaves.filter { MatroskaKind.of(forest[$0].header.id) != .block }
        let candidates = random.oneIn(4) || described.isEmpty ? leaves : described
        guard let path = candidates.randomElement(using: &random), case .bytes(var value) = forest[path].content else {
            return
        }
        switch MatroskaKind.of(forest[path].header.id) {
        case .unsigned, .signed:
            let width = random.oneIn(8) ? random.below(12) : random.pick([1, 2, 4, 8, 8, 8])
            value = ExtremeNumbers.bigEndian(ExtremeNumbers.integer(using: &random), count: width)
        case .real:
            let real = ExtremeNumbers.real(using: &random)
            value =
                random.oneIn(2)
                ? ExtremeNumbers.bigEndian(real.bitPattern, count: 8)
                : ExtremeNumbers.bigEndian(UInt64(Float(real).bitPattern), count: 4)
        case .text: value = HostileText.bytes(after: value, using: &random)
        case .block: Self.changeBlock(&value, using: &random)
        case .master, .checksum, .binary: ByteChanges.change(&value, using: &random)
        }
        forest[path].content = .bytes(value)
    }

    /// Mutates a block. It consists of a track number, a two-byte time relative to the cluster, flags, lacing and
    /// frames (RFC 9559, 10).
    private static func changeBlock(_ block: inout [UInt8], using random: inout SeededRandom) {
        guard block.count >= 4, block[0] & 0x80 != 0 else { return ByteChanges.change(&block, using: &random) }
        switch random.below(5) {
        case 0: block[0] = random.oneIn(2) ? 0x80 | UInt8(1 + random.below(4)) : random.byte()
        case 1:
            let time = random.pick([0, 1, -1, Int(Int16.max), Int(Int16.min), random.below(65536)])
            block.replaceSubrange(1...2, with: ExtremeNumbers.bigEndian(UInt64(truncatingIfNeeded: time), count: 2))
        case 2: block[3] = random.oneIn(2) ? block[3] ^ UInt8(random.pick([2, 4, 6, 0x80, 8, 1])) : random.byte()
        case 3:
            if random.oneIn(2) { block.removeSubrange(4...) } else { block.removeLast(random.below(block.count - 3)) }
        default:
            var frames = Array(block[4...])
            ByteChanges.change(&frames, using: &random)
            block.replaceSubrange(4..., with: frames)
        }
    }
}
