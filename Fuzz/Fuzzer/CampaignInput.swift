import GlissadeFuzzTargets
import Glibc
import GlissadeMutators

/// The inputs of a campaign. A seed and a number determine each input, so that it can be recreated.
@MainActor struct CampaignInputs {
    /// How an input was made.
    enum Origin: Int, CaseIterable {
        /// Media whose structure was mutated.
        case structured
        /// Media in which no attempt to mutate the structure succeeded.
        case unchanged
        /// Media with mutated bytes.
        case bytes
        /// Text or small binary input with mutated bytes.
        case small
    }

    struct Input {
        var target: FuzzTarget
        var origin: Origin
        var bytes: [UInt8]
    }

    private let seed: UInt64
    /// The seeds of each folder, sorted by file name so that the order is always the same.
    private let seeds: [String: [[UInt8]]]
    private let structured: [[UInt8]]
    private let media: [[UInt8]]
    private let smallTargets = FuzzTarget.all.filter { $0.input == .bytes }
    private let mediaTargets = FuzzTarget.all.filter { $0.input != .bytes && $0.seeds == "media" }
    private let headTarget = FuzzTarget.all.first { $0.input == .media && $0.seeds != "media" }

    /// Reads all seeds.
    ///
    /// - Parameter corpus: A folder with a subfolder for each kind of seed.
    init(seed: UInt64, corpus: String) {
        self.seed = seed
        var seeds: [String: [[UInt8]]] = [:]
        for folder in Set(FuzzTarget.all.map(\.seeds)) { seeds[folder] = Self.files(in: "\(corpus)/\(folder)") }
        self.seeds = seeds
        media = seeds["media"] ?? []
        structured = media.filter { StructuredFiles.open($0) != nil }
    }

    var isEmpty: Bool { media.isEmpty || structured.isEmpty }

    func input(_ number: Int) -> Input {
        var random = SeededRandom(seed: seed &+ UInt64(truncatingIfNeeded: number) &* 0xD134_2543_DE82_EF95)
        switch random.below(4) {
        case 0, 1:
            let media = random.pick(structured)
            // A mutation may change nothing, or make the file too long.
            for _ in 0..<8 {
                let changed = StructuredFiles.changed(media, limit: 1 << 20, using: &random)
                if let changed, changed != media { return mediaInput(changed, .structured, &random) }
            }
            return mediaInput(media, .unchanged, &random)
        case 2:
            var changed = random.pick(media)
            for _ in 0..<(1 + random.below(8)) { ByteChanges.change(&changed, using: &random) }
            return mediaInput(changed, .bytes, &random)
        default:
            let target = random.pick(smallTargets)
            var bytes = seeds[target.seeds].flatMap { $0.isEmpty ? nil : random.pick($0) } ?? []
            for _ in 0..<(1 + random.below(8)) { ByteChanges.change(&bytes, using: &random) }
            return Input(target: target, origin: .small, bytes: bytes)
        }
    }

    private func mediaInput(_ bytes: [UInt8], _ origin: Origin, _ random: inout SeededRandom) -> Input {
        let isMP4 = bytes.dropFirst(4).starts(with: "ftyp".utf8)
        let target = isMP4 && random.oneIn(8) ? headTarget ?? mediaTargets[0] : random.pick(mediaTargets)
        guard target.input == .script else { return Input(target: target, origin: origin, bytes: bytes) }
        let script = (0..<PlayScript.length).map { _ in random.byte() }
        return Input(target: target, origin: origin, bytes: bytes + script)
    }

    private static func files(in folder: String) -> [[UInt8]] {
        guard let directory = opendir(folder) else { return [] }
        defer { closedir(directory) }
        var names: [String] = []
        while let entry = readdir(directory) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if !name.hasPrefix(".") { names.append(name) }
        }
        return names.sorted().compactMap { contents(of: "\(folder)/\($0)") }
    }

    static func contents(of path: String) -> [UInt8]? {
        guard let file = fopen(path, "rb") else { return nil }
        defer { fclose(file) }
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 1 << 16)
        while case let count = fread(&chunk, 1, chunk.count, file), count > 0 { bytes += chunk[..<count] }
        return bytes.isEmpty ? nil : bytes
    }
}
