package import GlissadeCFFmpeg

/// Receives the packets of the selected subtitle stream on the demuxer's thread, in file order. After a seek, packets
/// may repeat, since reading continues from the new position.
package protocol SubtitleReceiver: AnyObject, Sendable {
    /// Receives the selected subtitle stream and its container; nil if none is selected. Called whenever the selection
    /// is applied, even if it has not changed, and when the receiver is attached. Also called, with nil, on a receiver
    /// that is being replaced. The pointers are valid only during the call.
    func select(_ stream: UnsafePointer<AVStream>?, of format: UnsafePointer<AVFormatContext>?)

    /// Receives a packet of the selected stream. Packet times are the container's times, in nanoseconds. In a loop,
    /// each pass repeats the times of the first pass.
    func receive(_ packet: UnsafePointer<AVPacket>, of stream: UnsafePointer<AVStream>)
}
