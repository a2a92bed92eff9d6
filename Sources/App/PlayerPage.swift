import Host
import Motion
import Playback
import Rendering
import Stage
import Windowing

/// The page that shows one media: its picture, as large as the page allows, on black.
@MainActor final class PlayerPage {
    static let surface = SurfaceID(rawValue: 1)

    let root = Layer(content: .color(.black))
    let video: VideoView
    var player: Player { video.player }

    /// - Parameter previous: what was on show until now; its picture stays until the new player has one.
    init(player: Player, device: GLDevice, log: FrameLog, after previous: VideoView? = nil) {
        video = VideoView(player: player, device: device, surface: Self.surface, log: log, after: previous)
        root.add(video.layer)
    }

    /// Lays the page out over `size` points and readies the picture for it.
    func layout(_ size: Size, scale: Double) {
        root.frame = Rect(origin: .zero, size: size)
        guard let aspect = video.displaySize else {
            video.layer.frame = .zero
            return
        }
        // Whole device pixels, and the very size of the picture where it differs by less than one: the picture is then
        // drawn pixel by pixel.
        let fitted = root.frame.fitting(aspect: aspect)
        let pixels = PixelRect(
            rounding: Rect(
                x: fitted.minX * scale, y: fitted.minY * scale, width: fitted.size.width * scale,
                height: fitted.size.height * scale))
        video.layer.frame = Rect(
            x: Double(pixels.minX) / scale, y: Double(pixels.minY) / scale, width: Double(max(1, pixels.width)) / scale,
            height: Double(max(1, pixels.height)) / scale)
        video.prepare(destination: PixelSize(width: max(1, pixels.width), height: max(1, pixels.height)))
    }
}
