import Foundation
import GlissadePicture
import GlissadePlatform
import Testing
import GlissadeTestSupport
import GlissadeTime

@testable import GlissadeLibrary

extension Films {
    private static let keyed = ["-g", "25", "-keyint_min", "25", "-sc_threshold", "0", "-pix_fmt", "yuv420p"]

    /// Ten seconds of gray, each second brighter than the one before; a keyframe at the beginning of each.
    static func steps(_ kind: String = "mp4", _ codec: [String] = ["-c:v", "libx264", "-preset", "veryfast"]) throws
        -> Data
    {
        try data(
            "steps.\(kind)",
            ffmpeg: [
                "-f", "lavfi", "-i", "color=c=black:s=32x18:r=25:d=10",
                "-vf", "geq=lum='16+20*floor(T+0.001)':cb=128:cr=128,scale=320:180:flags=neighbor", "-threads", "2",
            ] + codec + keyed)
    }

    /// Two seconds of white at an unusual size.
    static func sized(_ size: String, codec: [String], kind: String = "mkv") throws -> Data {
        try data(
            "sized-\(size).\(kind)",
            ffmpeg: [
                "-f", "lavfi", "-i", "color=c=white:s=64x64:r=1:d=2", "-vf", "format=rgb24,scale=\(size),setsar=1",
                "-threads", "2",
            ] + codec)
    }
}

/// Requests a video's previews and waits for them.
@MainActor final class PreviewScene {
    let scene: Scene
    let signal = WakeSignal()
    let cacheFolder: BytePath
    private(set) var now = HostTime(nanoseconds: 0)

    init() throws {
        scene = try Scene()
        cacheFolder = BytePath(scene.path + "/cache/previews")
    }

    func previews(
        of location: String, scale: Double = 1, cache: BytePath? = nil, memoryBytes: Int = 16 << 20
    ) -> SeekPreviews {
        SeekPreviews(
            location: location, scale: scale, cache: PosterDiskCache(folder: cache ?? cacheFolder),
            memoryBytes: memoryBytes, budget: .seconds(60), wake: { [signal] in signal.raise() })
    }

    func previews(of data: Data, name: String = "film.mp4") throws -> SeekPreviews {
        previews(of: try scene.file(name, data).location)
    }

    func pass(_ duration: Duration) { now = now + duration }

    /// Asks for a place and waits for its picture.
    func preview(_ previews: SeekPreviews, at seconds: Double) -> SeekPreview? {
        let place = Duration.seconds(seconds)
        previews.request(at: place, now: now)
        var preview: SeekPreview?
        _ = signal.wait {
            preview = previews.take() ?? preview
            return preview?.place == place
        }
        // It is kept on the disk after it was told of.
        previews.awaitIdle()
        // On a busy machine, it may have come only now.
        preview = previews.take() ?? preview
        return preview?.place == place ? preview : nil
    }

    /// Whether a place yields nothing: a job that was asked for behind it is done, and no picture came.
    func yieldsNothing(_ previews: SeekPreviews, at seconds: Double) -> Bool {
        previews.request(at: .seconds(seconds), now: now)
        previews.awaitIdle()
        return previews.take() == nil
    }

    func cachedFiles() -> [String] {
        (try? FileManager.default.contentsOfDirectory(atPath: cacheFolder.location)) ?? []
    }
}

extension SeekPreview {
    /// Which second of `Films.steps` it shows.
    var step: Int {
        let pixel = (bitmap.size.height / 2 * bitmap.size.width + bitmap.size.width / 2) * 4
        return Int((Double(bitmap.pixels[pixel]) * 219 / 255 / 20).rounded())
    }
}
