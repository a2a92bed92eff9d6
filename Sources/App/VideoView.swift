import Host
import Motion
import Picture
import Playback
import Rendering
import Stage
import Windowing

/// A player's picture on the stage: takes each frame when it is due, brings it to the GPU, and keeps its layer's
/// rotation.
///
/// Main thread. Where a GPU draws, the frame's planes go up as they are. Where the CPU draws, the picture is resolved to
/// RGB at the size at which it will be seen, on the decoder's thread; the few frames that come at another size (while
/// a window is resized) are resolved here, which is still cheaper than having the rasterizer filter three planes.
@MainActor final class VideoView {
    let layer: Layer
    let player: Player
    let texture: SurfaceTexture
    private let surface: SurfaceID
    private let log: FrameLog
    private let resolves: Bool
    private var resolver = FrameResolver()
    private var rotation = QuarterTurns.none
    /// The upright size of the picture on show, in square pixels.
    private(set) var displaySize: Size?
    /// The frame on show, kept where it may have to be resolved anew.
    private var current: VideoFrame?
    private var resolvedSize: PixelSize?
    private var request: PictureRequest
    /// The frame that goes on screen with the next swap.
    private(set) var pending: Shown?

    /// What the log is told of a frame.
    struct Shown {
        var presentationTime: MediaTime
        var due: HostTime?
        var duration: Duration
    }

    init(player: Player, device: GLDevice, surface: SurfaceID, log: FrameLog) {
        self.player = player
        self.surface = surface
        self.log = log
        texture = SurfaceTexture(device: device)
        resolves = device.isSoftware && device.hasBGRA
        layer = Layer(content: .none)
        request = Self.request(device)
        player.setPictureRequest(request)
        displaySize = player.info?.displaySize
    }

    /// What frames must be like for a device.
    static func request(_ device: GLDevice) -> PictureRequest {
        PictureRequest(acceptsDeepSamples: device.hasNorm16, sizeLimit: device.maxTextureSize)
    }

    /// Takes the frame that is due by `visible`, if one is. True where the picture changed.
    func update(visibleAt visible: HostTime) -> Bool {
        guard let frame = player.takeFrame(visibleAt: visible) else { return false }
        pending = Shown(
            presentationTime: frame.presentationTime, due: player.dueTime(of: frame.presentationTime),
            duration: frame.duration)
        displaySize = frame.geometry.displaySize(of: frame.format.size)
        rotation = frame.geometry.rotation
        current = consume frame
        resolvedSize = nil
        return true
    }

    /// Brings the picture to the GPU for a destination of `size` device pixels, where it is not there already.
    func prepare(destination size: PixelSize) {
        let upright = rotation.swapsAxes ? PixelSize(width: size.height, height: size.width) : size
        if resolves, request.resolvedSize != upright, !upright.isEmpty {
            request.resolvedSize = upright
            player.setPictureRequest(request)
        }
        if resolvedSize == upright { return }
        guard let frame = current.take() else { return }
        let began = HostTime.now()
        upload(frame, size: upright)
        log.recordUpload(.now() - began)
        resolvedSize = upright
        if resolves { current = consume frame }
        layer.content = .surface(surface, rotation: rotation)
    }

    private func upload(_ frame: borrowing VideoFrame, size: PixelSize) {
        if resolves {
            if frame.resolvedSize == size, frame.withResolvedPicture(upload) != nil { return }
            if resolver.withPicture(of: frame, size: size, upload) != nil { return }
        }
        frame.withPicture(upload)
    }

    /// A picture that the device refuses was announced by the request; what is left is a failing driver, and the picture
    /// before it stays.
    private func upload(_ picture: PictureView) {
        try? texture.upload(picture)
    }

    /// The frame that was pending is on screen since `time`.
    func didPresent(at time: HostTime) {
        guard let shown = pending else { return }
        pending = nil
        log.recordShown(
            presentationTime: shown.presentationTime, due: shown.due, frameDuration: shown.duration, at: time)
        if let offset = player.soundOffset(of: shown.presentationTime, at: time) { log.recordSoundOffset(offset) }
    }
}
