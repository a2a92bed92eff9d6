import GlissadeCFFmpeg
import GlissadeMedia

// Changing to another variant of the stream. Runs on the decoder's thread.

extension VideoDecoder {
    /// Continues with the decoder of the stream at the index `track`, after outputting the frames that are still in the
    /// old decoder. Does nothing if there is no such stream.
    func change(to track: Int, _ decoding: inout Decoding) {
        guard let stream = streams.first(where: { $0.track == track }) else { return }
        drain(&decoding)
        countSkipped(decoding.skips.takeAll())
        do throws(PlaybackError) {
            let decoder = try stream.configuration.openDecoder(threads: Self.frameThreads)
            decoding.use(decoder, of: stream)
            decoding.hasGivenUp = false
            noteWork(decoding)
            takeUpHardware(&decoding)
        } catch {
            // The demuxer has opened such a decoder before it chose the variant, so the system must be out of
            // resources.
            decoding.hasGivenUp = true
            report(.streamNotPlayable(kind: "video", reason: error.description))
        }
    }
}
