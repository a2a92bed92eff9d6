package import CFFmpeg

/// Takes in the packets of the selected subtitle stream, on the demuxer's thread, in file order; after a seek from the
/// new place on, so that packets may come again.
package protocol SubtitleReceiver: AnyObject, Sendable {
    /// Another stream is selected, or none (nil). The pointers are valid during the call.
    func select(_ stream: UnsafePointer<AVStream>?, of format: UnsafePointer<AVFormatContext>?)

    /// A packet of the selected stream. Its times are nanoseconds on the media's time line, as those of every packet that
    /// leaves the demuxer, but in each round of a loop those of the first.
    func receive(_ packet: UnsafePointer<AVPacket>, of stream: UnsafePointer<AVStream>)
}
