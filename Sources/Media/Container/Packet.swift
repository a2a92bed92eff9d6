package import GlissadeCFFmpeg
import GlissadeTime

/// A packet of a stream, with a single owner.
///
/// Threads: may be used on any thread, by one owner at a time.
package struct Packet: ~Copyable, @unchecked Sendable {
    // @unchecked: there is only one owner, and FFmpeg's reference counts are atomic.
    package let pointer: UnsafeMutablePointer<AVPacket>

    /// Creates an empty packet for FFmpeg to fill.
    ///
    /// - Throws: `outOfMemory`.
    package init() throws(PlaybackError) {
        guard let pointer = av_packet_alloc() else { throw .outOfMemory }
        self.pointer = pointer
    }

    /// Creates a new reference to another packet's data, or a copy if the data is not reference-counted.
    ///
    /// - Throws: `outOfMemory`.
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

    /// The packet's size in memory, in bytes: the payload, and an estimate of FFmpeg's overhead.
    package var byteCount: Int { Int(pointer.pointee.size) + 512 }

    /// The presentation time in nanoseconds, or the decode time if the presentation time is unknown; nil if both are
    /// unknown.
    package var time: Int64? {
        let (pts, dts, unknown) = (pointer.pointee.pts, pointer.pointee.dts, glissade_nopts())
        return pts != unknown ? pts : dts != unknown ? dts : nil
    }

    /// The index of the packet's stream in the container.
    package var track: Int { Int(pointer.pointee.stream_index) }

    /// The packet's duration in nanoseconds; 0 if unknown. At most a day, so that sums of durations cannot overflow.
    package var duration: Int64 { min(max(0, pointer.pointee.duration), PacketTimeline.longestPacket) }
}

extension Packet {
    /// The packet's timestamps and duration. In the stream's time base until the demuxer converts them to nanoseconds.
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
