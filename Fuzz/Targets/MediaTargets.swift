import GlissadeCFFmpeg
import GlissadeGeometry
import GlissadePicture
import GlissadeTime

@testable import GlissadeApp
@testable import GlissadeLibrary
@testable import GlissadeMedia

enum MediaTargets {
    /// The number of calls of FFmpeg's interrupt callback after which an input is abandoned. No seed needs nearly as
    /// many.
    private static let stepLimit = 20_000
    private static let limit = PixelSize(width: 320, height: 180)

    /// Opens media like the library does: reads properties, a poster and previews.
    @MainActor static func open(_ bytes: [UInt8]) {
        silenceFFmpeg()
        let file = InputFile.shared
        file.write(bytes)
        let steps = Steps(stepLimit)
        guard let info = try? MediaInfo(opening: file.path, fileName: "media", unless: { steps.areSpent }) else {
            return
        }
        format(info)
        let more = Steps(stepLimit)
        guard
            var source = try? ThumbnailSource(
                location: file.path, fileName: "media", isInterrupted: { more.areSpent })
        else { return }
        for (fraction, precision) in [(0.1, ThumbnailSource.Precision.keyframe), (0.5, .exact), (1, .keyframe)] {
            if let bitmap = source.picture(at: fraction, precision, fitting: limit) {
                check(
                    bitmap.size.width <= limit.width && bitmap.size.height <= limit.height, "a bitmap fits its limit")
                _ = bitmap.meanLuma
            }
        }
        guard let duration = source.seekableDuration else { return }
        for place in [Duration.zero, duration / 2, duration] {
            guard let found = source.findKeyframe(near: place) else { continue }
            check(found >= .zero, "a keyframe is not before the start")
            _ = source.foundKeyframePicture(fitting: limit)
        }
    }

    /// Formats all properties of media that the interface shows.
    static func format(_ info: MediaInfo) {
        _ = InfoText.text("media", info)
        _ = MediaDetails(info, of: "media")
        _ = MediaSummary(info)
        _ = (info.displaySize, info.rotation, info.codedSize, info.frameRate, info.isStill)
        var status = PlayerStatus()
        status.length = info.duration
        for fraction in [-1, 0, 0.3, 1, 2, .nan, .infinity] {
            let position = status.position(at: fraction)
            let back = status.fraction(position)
            check((0...1).contains(back), "a position is a fraction of the length")
            _ = MediaFormatter.position(position, of: info.duration)
            _ = MediaFormatter.remaining(position, of: info.duration)
        }
    }

    /// Opens media like the player does: it may read only the head of an MP4 file.
    @MainActor static func head(_ bytes: [UInt8]) {
        silenceFFmpeg()
        let file = InputFile.shared
        file.write(bytes)
        let steps = Steps(stepLimit)
        guard
            let input = try? MediaInput(
                location: file.path, fileName: "media.mp4", isForPlaying: true, isInterrupted: { steps.areSpent })
        else { return }
        format(MediaInfo(input))
    }

    static func configuration(_ bytes: [UInt8]) {
        bytes.withUnsafeBufferPointer { bytes in
            guard let head = H264Head(bytes) else { return }
            check(bytes.count >= 7 && head.level == CInt(bytes[3]), "the level is byte 3")
        }
    }
}
