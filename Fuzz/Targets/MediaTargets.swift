import CFFmpeg
import Geometry
import Picture
import Time

@testable import App
@testable import Library
@testable import Media

enum MediaTargets {
    /// As many questions of FFmpeg's as any seed takes many times over.
    private static let stepLimit = 20_000
    private static let limit = PixelSize(width: 320, height: 180)

    /// Opens media as a list does that shows it: what it says of itself, a poster, previews.
    @MainActor static func open(_ bytes: [UInt8]) {
        silenceFFmpeg()
        let file = InputFile.shared
        file.write(bytes)
        let steps = Steps(stepLimit)
        guard let info = try? MediaInfo(opening: file.path, fileName: "media", unless: { steps.areSpent }) else {
            return
        }
        tell(info)
        let more = Steps(stepLimit)
        guard
            var source = try? ThumbnailSource(
                location: file.path, fileName: "media", isInterrupted: { more.areSpent })
        else { return }
        for (fraction, precision) in [(0.1, ThumbnailSource.Precision.keyframe), (0.5, .exact), (1, .keyframe)] {
            if let bitmap = source.picture(at: fraction, precision, fitting: limit) {
                check(
                    bitmap.size.width <= limit.width && bitmap.size.height <= limit.height, "a picture fits its limit")
                _ = bitmap.meanLuma
            }
        }
        guard let duration = source.seekableDuration else { return }
        for place in [Duration.zero, duration / 2, duration] {
            guard let found = source.findKeyframe(near: place) else { continue }
            check(found >= .zero, "a keyframe lies in the film")
            _ = source.foundKeyframePicture(fitting: limit)
        }
    }

    /// All that pages say of media.
    static func tell(_ info: MediaInfo) {
        _ = InfoText.text("media", info)
        _ = MediaDetails(info, of: "media")
        _ = MediaSummary(info)
        _ = (info.displaySize, info.rotation, info.codedSize, info.frameRate, info.isStill)
        var figures = PlayerStatus()
        figures.length = info.duration
        for fraction in [-1, 0, 0.3, 1, 2, .nan, .infinity] {
            let position = figures.position(at: fraction)
            let back = figures.fraction(position)
            check((0...1).contains(back), "a position is a share of the length")
            _ = MediaFormatter.position(position, of: info.duration)
            _ = MediaFormatter.remaining(position, of: info.duration)
        }
    }

    /// Opens media as the player does, by their head where that is enough.
    @MainActor static func head(_ bytes: [UInt8]) {
        silenceFFmpeg()
        let file = InputFile.shared
        file.write(bytes)
        let steps = Steps(stepLimit)
        guard
            let input = try? MediaInput(
                location: file.path, fileName: "media.mp4", isForPlaying: true, isInterrupted: { steps.areSpent })
        else { return }
        tell(MediaInfo(input))
    }

    static func configuration(_ bytes: [UInt8]) {
        bytes.withUnsafeBufferPointer { bytes in
            guard let head = H264Head(bytes) else { return }
            check(bytes.count >= 7 && head.level == CInt(bytes[3]), "a level is where it stands")
        }
    }
}
