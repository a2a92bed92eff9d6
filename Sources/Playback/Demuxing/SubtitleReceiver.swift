package import CFFmpeg

/// Receives the packets of the selected subtitle stream on the demuxer's thread, in file order. After a seek, packets
/// may repeat, since reading continues from the new position.
package protocol SubtitleReceiver: AnyObject, Sendable {
    /// Receives the selected stream, or nil if none is selected. Called whenever a track is selected, even if the
    /// stream stays the same, and when the receiver is attached or replaced. The pointers are valid only during the
    /// call.
    func select(_ stream: UnsafePointer<AVStream>?, of format: UnsafePointer<AVFormatContext>?)

    /// Receives a packet of the selected stream. Packet times are the container's times, in nanoseconds. In a loop,
    /// each pass repeats the times of the first pass.
    func receive(_ packet: UnsafePointer<AVPacket>, of stream: UnsafePointer<AVStream>)
}
