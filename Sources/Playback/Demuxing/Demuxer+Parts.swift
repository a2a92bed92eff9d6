import GlissadeCFFmpeg
import GlissadeMedia
import GlissadeTime

// Files that were joined end to end, each of which is opened by itself.

extension Demuxer {
    /// One of joined files.
    struct Part {
        let file: FilePart
        /// Where it begins on the media timeline, in nanoseconds.
        var start: Int64

        /// The parts of which `input` is the first one.
        static func all(of input: borrowing MediaInput) -> [Part] {
            var start = input.startTime.nanoseconds
            return input.parts.map { file in
                defer { start = start.addingClamped(file.length) }
                return Part(file: file, start: start)
            }
        }
    }

    /// Opens the part `index`, so that the next packet is its first one. Returns false, and changes nothing, if that fails.
    func open(part index: Int, _ reading: inout Reading) -> Bool {
        let packets = packets
        guard
            let input = try? MediaInput(
                location: location, part: reading.parts[index].file, isForPlaying: true,
                isInterrupted: { packets.isInterrupted })
        else { return false }
        let stream = AudioStream.all(of: input, MediaInfo(input)).first
        guard let stream, stream.track == reading.playing ?? stream.track else { return false }
        use(input, &reading)
        reading.part = index
        reading.timeline.beginPart(
            base: reading.parts[index].start.subtractingClamped(reading.input.startTime.nanoseconds))
        packets.push(.end(.part(stream)), to: .audio, generation: reading.generation)
        return true
    }

    /// Continues with the next part that can be opened. Returns false if there is none.
    func goOn(_ reading: inout Reading) -> Bool {
        while reading.part + 1 < reading.parts.count {
            let next = reading.part + 1
            // Its length may be another one than the header says.
            let late = reading.timeline.end.subtractingClamped(reading.parts[next].start)
            for index in next..<reading.parts.count {
                reading.parts[index].start = reading.parts[index].start.addingClamped(late)
            }
            if open(part: next, &reading) || packets.isInterrupted { return true }
            report(.damagedData(reason: "part \(next + 1) of \(reading.parts.count) cannot be read"))
            reading.part = next
        }
        return false
    }

    /// Seeks to a place before `target` in the part that holds it. Returns whether that succeeded.
    func seekInParts(_ target: MediaTime, _ reading: inout Reading) -> Bool {
        let index = reading.parts.lastIndex { $0.start <= target.nanoseconds } ?? 0
        guard open(part: index, &reading) else { return false }
        let start = reading.input.startTime.nanoseconds
        let time = target.nanoseconds.subtractingClamped(reading.parts[index].start).addingClamped(start)
        guard time > start else { return true }
        return avformat_seek_file(reading.input.context, -1, .min, time / 1000, time / 1000, 0) >= 0
    }
}
