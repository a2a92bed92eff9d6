package import CFFmpeg
import Time

/// A demuxed packet, owned by whoever holds it. Its times are nanoseconds on the media's time line.
///
/// Threads: one owner at a time, on any thread.
package struct Packet: ~Copyable, @unchecked Sendable {
    // @unchecked: the owner is unique, and FFmpeg's reference counts beneath are atomic.
    package let pointer: UnsafeMutablePointer<AVPacket>

    /// An empty packet, to be read into. - Throws: where there is no memory for it.
    package init() throws(PlaybackError) {
        guard let pointer = av_packet_alloc() else { throw .outOfMemory }
        self.pointer = pointer
    }

    /// A new reference to the data of another; or a copy, where that is not FFmpeg's to share. A packet without its data would
    /// end a decoder's stream.
    ///
    /// - Throws: where there is no memory for it.
    package init(referring other: UnsafePointer<AVPacket>) throws(PlaybackError) {
        var copy = av_packet_alloc()
        guard let pointer = copy, av_packet_ref(pointer, other) >= 0 else {
            av_packet_free(&copy)
            throw .outOfMemory
        }
        self.pointer = pointer
    }

    deinit {
        var pointer: UnsafeMutablePointer<AVPacket>? = pointer
        av_packet_free(&pointer)
    }

    /// What it takes in memory: its payload, and what FFmpeg spends beside it.
    package var byteCount: Int { Int(pointer.pointee.size) + 512 }

    /// When it is presented, or else decoded, in nanoseconds; nil where unknown.
    package var time: Int64? {
        let (pts, dts, unknown) = (pointer.pointee.pts, pointer.pointee.dts, glissade_nopts())
        return pts != unknown ? pts : dts != unknown ? dts : nil
    }

    /// The index of its stream in the container.
    package var track: Int { Int(pointer.pointee.stream_index) }

    /// How long it lasts, in nanoseconds, a day at most: the lengths of all that waits can be added up. 0 where unknown.
    package var duration: Int64 { min(max(0, pointer.pointee.duration), PacketTimeline.longestPacket) }
}

extension Packet {
    /// All that FFmpeg says of when it belongs, in nanoseconds once they have been rescaled.
    package var times: PacketTimeline.Times {
        get {
            let unknown = glissade_nopts()
            let (pts, dts) = (pointer.pointee.pts, pointer.pointee.dts)
            return PacketTimeline.Times(
                presentation: pts != unknown ? pts : nil, decoding: dts != unknown ? dts : nil,
                duration: pointer.pointee.duration)
        }
        nonmutating set {
            pointer.pointee.pts = newValue.presentation ?? glissade_nopts()
            pointer.pointee.dts = newValue.decoding ?? glissade_nopts()
            pointer.pointee.duration = newValue.duration
        }
    }
}
