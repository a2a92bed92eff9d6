package import CFFmpeg

/// Receives the packets of the selected subtitle stream on the demuxer's thread, in file order. After a seek they
/// continue from the new position, so packets may repeat.
package protocol SubtitleReceiver: AnyObject, Sendable {
    /// Called when another stream was selected, or none (nil). The pointers are valid during the call.
    func select(_ stream: UnsafePointer<AVStream>?, of format: UnsafePointer<AVFormatContext>?)

    /// Receives a packet of the selected stream. Times are nanoseconds on the media timeline as for other packets, but
    /// each pass of a loop repeats those of the first.
    func receive(_ packet: UnsafePointer<AVPacket>, of stream: UnsafePointer<AVStream>)
}
