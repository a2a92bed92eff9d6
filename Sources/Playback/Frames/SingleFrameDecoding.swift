import Geometry
public import Media
public import Picture
import Platform
public import Time

/// Decodes one frame of a media once more: the one on show at `time`, whole, upright and in square pixels.
///
/// It is found as the player finds it, by the same demuxer and decoder, so that it is the very same one: the last that
/// does not begin after `time`. Media that cannot seek are decoded from their beginning. Blocks, and its threads have the
/// calling thread's priority: for a thread that nobody waits for.
///
/// - Parameters:
///   - location: a path or an address.
///   - time: on the media's own time line.
///   - patience: how long it may take.
/// - Throws: `cannotOpen`, `nothingToPlay`, or what else keeps it from being played; `nothingToPlay` where no picture
///   comes.
public func decodePicture(
    of location: String, at time: MediaTime, patience: Duration = .seconds(30)
) throws(PlaybackError) -> Bitmap {
    let deadline = HostTime.now() + patience
    let signal = WakeSignal()
    var options = PlayerOptions()
    options.audio = .none
    // Eight bits are all that a bitmap has.
    options.pictures = FrameFormat(acceptsDeepSamples: false)
    let pipeline = Pipeline(location: location, options: options, wake: { signal.raise() }, report: { _ in })
    defer { pipeline.stop() }

    switch pipeline.waitForOutcome(until: deadline) {
    case nil: throw .cannotOpen(reason: "timed out")
    case .failure(let error): throw error
    case .success(let opened):
        guard opened.hasVideo else { throw .nothingToPlay(reason: "no video") }
        if opened.info.isSeekable, !opened.info.isStill { pipeline.seek(to: time, mode: .exact, generation: 1) }
    }
    guard let frame = frame(at: time, of: pipeline.frames, until: deadline, signal) else {
        throw .nothingToPlay(reason: "no picture came")
    }
    guard let bitmap = frame.uprightBitmap() else { throw .nothingToPlay(reason: "the picture cannot be shown") }
    return bitmap
}

/// The last frame that does not begin after `time`; nil where none comes.
private func frame(at time: MediaTime, of frames: FrameQueue, until deadline: HostTime, _ signal: WakeSignal)
    -> VideoFrame?
{
    var found: VideoFrame?
    while HostTime.now() < deadline {
        let glance = frames.glance()
        guard let first = glance.first else {
            if glance.hasEnded { break }
            // The queue tells when a picture comes to it empty, and when it ends.
            signal.wait(until: deadline)
            continue
        }
        if first > time, found != nil { break }
        found = frames.pop()
        if first >= time { break }
    }
    return found
}

extension VideoFrame {
    /// No side of a bitmap is longer, and none has more pixels: a file may say anything of the shape of its pixels.
    private static let longestSide = 16384.0
    private static let mostPixels = 67_108_864.0

    /// Its picture in its own size, upright and in square pixels; nil where it has none that can be made one of.
    borrowing func uprightBitmap() -> Bitmap? {
        let shown = PixelGeometry(pixelAspect: geometry.pixelAspect).displaySize(of: codedSize)
        guard !shown.isEmpty else { return nil }
        let scale = min(
            1, Self.longestSide / max(shown.width, shown.height),
            (Self.mostPixels / (shown.width * shown.height)).squareRoot())
        let size = PixelSize(
            width: max(1, Int((shown.width * scale).rounded())), height: max(1, Int((shown.height * scale).rounded())))
        var resolver = FrameRescaler()
        let bitmap = resolver.withPicture(of: self, size: size) { picture in
            let plane = picture[plane: 0]
            return Bitmap(
                size: size,
                pixels: Array(UnsafeRawBufferPointer(start: plane.base, count: plane.stride * size.height)))
        }
        return bitmap?.turned(by: geometry.rotation)
    }
}
