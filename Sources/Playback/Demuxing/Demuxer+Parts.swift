import GlissadeCFFmpeg
import GlissadeMedia
import Glibc
import GlissadeTime

// Files that were joined end to end, each of which is opened by itself.

extension Demuxer {
    /// The files of which one was joined.
    struct Parts {
        struct Part {
            let file: FilePart
            /// Where it begins on the media timeline, in nanoseconds.
            var start: Int64
        }

        private(set) var all: [Part]
        /// Which of them is open.
        private(set) var index = 0
        /// The sound of the open one; nil if there is none.
        private(set) var stream: AudioStream?
        /// Whether a packet of it has been placed on the timeline since it was opened.
        var hasSound = false
        /// Whether one that cannot be read has been reported.
        var isReported = false
        private let held: HeldFile?

        /// The parts of which `input`, with the audio streams `streams`, is the first one; none if it is a whole file.
        init(of input: borrowing MediaInput, _ streams: [AudioStream]) {
            var start = input.startTime.nanoseconds
            all = input.parts.map { file in
                defer { start = start.addingClamped(file.length) }
                return Part(file: file, start: start)
            }
            stream = streams.first
            held = all.isEmpty ? nil : HeldFile(input)
        }

        var isEmpty: Bool { all.isEmpty }
        /// Where the file can be opened again; nil if it could not be kept open.
        var location: String? { held?.location }

        /// The part that holds the time `time`, in nanoseconds.
        func index(at time: Int64) -> Int { all.lastIndex { $0.start <= time } ?? 0 }

        mutating func open(_ index: Int, _ stream: AudioStream?) {
            (self.index, self.stream, hasSound) = (index, stream, false)
        }

        /// Moves the part `index` and those after it to begin at `start`.
        mutating func move(_ index: Int, to start: Int64) {
            let late = start.subtractingClamped(all[index].start)
            for index in index..<all.count { all[index].start = all[index].start.addingClamped(late) }
        }
    }

    /// Keeps a file open, to open it again even if it was renamed or deleted.
    private final class HeldFile: Sendable {
        private let descriptor: CInt
        var location: String { "/proc/self/fd/\(descriptor)" }

        init?(_ input: borrowing MediaInput) {
            descriptor = input.path.withUnsafeBufferPointer { path in
                path.baseAddress.map { Glibc.open($0, O_RDONLY | O_NOCTTY | O_CLOEXEC) } ?? -1
            }
            if descriptor < 0 { return nil }
        }

        deinit { if descriptor >= 0 { close(descriptor) } }
    }

    /// Opens the part `index`, so that the next packet is its first one. Returns false, and changes nothing, if that fails.
    func open(part index: Int, _ reading: inout Reading) -> Bool {
        let packets = packets
        guard
            let input = try? MediaInput(
                location: reading.parts.location ?? location, fileName: location, part: reading.parts.all[index].file,
                isForPlaying: true, isInterrupted: { packets.isInterrupted })
        else { return false }
        let stream = AudioStream.all(of: input, MediaInfo(input)).first
        guard stream?.track == reading.audio.first || reading.audio.isEmpty else { return false }
        use(input, &reading)
        reading.parts.open(index, stream)
        reading.growth = FileGrowth(of: reading.input, reading.parts.all[index].file)
        beginPart(&reading)
        return true
    }

    /// Places the packets that follow, which are of the open part, on the timeline, and has them decoded as its sound.
    private func beginPart(_ reading: inout Reading) {
        let start = reading.parts.all[reading.parts.index].start
        reading.timeline.beginPart(base: start.subtractingClamped(reading.input.startTime.nanoseconds))
        if let stream = reading.parts.stream {
            packets.push(.end(.part(stream)), to: .audio, generation: reading.generation)
        }
    }

    /// Continues with the next part that can be opened. Returns false if there is none.
    func goOn(_ reading: inout Reading) -> Bool {
        var next = reading.parts.index + 1
        // The length may be another one than the header says.
        if next < reading.parts.all.count, reading.parts.hasSound { reading.parts.move(next, to: reading.timeline.end) }
        while next < reading.parts.all.count {
            // If that was interrupted, the end is read again.
            if open(part: next, &reading) || packets.isInterrupted { return true }
            if !reading.parts.isReported {
                reading.parts.isReported = true
                report(.damagedData(reason: "part \(next + 1) of \(reading.parts.all.count) cannot be read"))
            }
            next += 1
        }
        return false
    }

    /// Seeks to a place before `target` in the part that holds it. Returns whether that part is open.
    func seekInParts(_ target: MediaTime, _ reading: inout Reading) -> Bool {
        let index = reading.parts.index(at: target.nanoseconds)
        let isOpen = index == reading.parts.index
        if !isOpen, !open(part: index, &reading) { return false }
        let start = reading.input.startTime.nanoseconds
        let time = target.nanoseconds.subtractingClamped(reading.parts.all[index].start).addingClamped(start)
        if isOpen {
            reading.parts.hasSound = false
            beginPart(&reading)
        } else if time <= start {
            return true
        }
        let place = max(start, time) / 1000
        // If there is nothing to seek in, the next part follows.
        return avformat_seek_file(reading.input.context, -1, .min, place, place, 0) >= 0 || !isOpen
            || open(part: index, &reading)
    }

    /// Goes to the first packet of the first part.
    func goToFirstPart(_ reading: inout Reading) -> Bool { open(part: 0, &reading) }
}
