import GlissadeGeometry
public import GlissadeMedia
public import GlissadePicture
import GlissadePlatform
public import GlissadeTime

/// Decodes the frame that is displayed at `time`, at full size, upright and in square pixels.
///
/// This is the last frame that does not start after `time`, or the first frame if all frames start later. If `timeout`
/// expires, the result is the last frame decoded so far. Media that cannot seek are decoded from the start.
///
/// Blocks: call on a background thread. The decoding threads inherit that thread's priority.
///
/// - Parameters:
///   - location: A path or a URL.
///   - time: A time on the media timeline.
///   - timeout: How long opening and decoding may take together.
/// - Throws: `cannotOpen` if opening takes too long; `nothingToPlay` if there is no video, or if no frame can be
///   decoded or converted; otherwise, the error with which opening failed.
public func decodePicture(
    of location: String, at time: MediaTime, timeout: Duration = .seconds(30)
) throws(PlaybackError) -> Bitmap {
    let deadline = HostTime.now() + timeout
    let signal = WakeSignal()
    var options = PlayerOptions()
    options.audio = .none
    // A bitmap has only 8 bits per channel.
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
        throw .nothingToPlay(reason: "no frame could be decoded")
    }
    guard let bitmap = frame.uprightBitmap() else { throw .nothingToPlay(reason: "the frame cannot be converted") }
    return bitmap
}

/// Returns the last frame that does not start after `time`, or the first frame if all frames start later. If `deadline`
/// passes, returns the last frame so far. Returns nil if no frame has come.
private func frame(at time: MediaTime, of frames: FrameQueue, until deadline: HostTime, _ signal: WakeSignal)
    -> VideoFrame?
{
    var found: VideoFrame?
    while HostTime.now() < deadline {
        let head = frames.head()
        guard let first = head.first else {
            if head.hasEnded { break }
            // The queue wakes us when a frame arrives, and at the end.
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
    /// The largest width and height of a bitmap, in pixels. A limit is needed because a file may declare any pixel
    /// aspect.
    private static let longestSide = 16384.0
    private static let mostPixels = 67_108_864.0

    /// Returns the frame as an upright bitmap in square pixels, scaled down if the bitmap would exceed the limits.
    /// Returns nil if the frame cannot be converted.
    borrowing func uprightBitmap() -> Bitmap? {
        let shown = PixelGeometry(pixelAspect: geometry.pixelAspect).displaySize(of: codedSize)
        guard !shown.isEmpty else { return nil }
        let scale = min(
            1, Self.longestSide / max(shown.width, shown.height),
            (Self.mostPixels / (shown.width * shown.height)).squareRoot())
        let size = PixelSize(
            width: max(1, Int((shown.width * scale).rounded())), height: max(1, Int((shown.height * scale).rounded())))
        var converter = FrameRescaler()
        let bitmap = converter.withPicture(of: self, size: size) { picture in
            let plane = picture[plane: 0]
            return Bitmap(
                size: size,
                pixels: Array(UnsafeRawBufferPointer(start: plane.base, count: plane.stride * size.height)))
        }
        return bitmap?.upright(geometry)
    }
}
