import Motion
import Navigation
import Rendering
import Stage

/// Takes the pictures of pages that show through beneath others, on the GPU.
@MainActor final class PageSnapshots: SnapshotSource {
    static let surface = SurfaceID(rawValue: 2)

    private let compositor: Compositor
    /// The pictures that pages show.
    var surfaces: @MainActor (SurfaceID) -> SurfaceTexture? = { _ in nil }
    private let texture: SurfaceTexture
    private var list = DisplayList(viewport: PixelSize(width: 0, height: 0))
    /// Device pixels per point.
    var scale = 1.0
    /// The time whose presentation values are taken.
    var time = LocalTime.zero

    init(compositor: Compositor) {
        self.compositor = compositor
        texture = SurfaceTexture(device: compositor.device)
    }

    /// The picture, while there is one.
    var current: SurfaceTexture? { texture.hasPicture ? texture : nil }

    func capture(_ layer: Layer, size: Size) -> Layer.Content? {
        list.viewport =
            PixelRect(
                rounding: Rect(x: 0, y: 0, width: size.width * scale, height: size.height * scale)
            ).size
        guard !list.viewport.isEmpty else { return nil }
        layer.flatten(scale: scale, at: time, into: &list)
        do throws(RenderingError) {
            try compositor.capture(list, into: texture, surfaces: surfaces)
        } catch {
            // A GPU without room for it: the page is drawn live.
            texture.removePicture()
            return nil
        }
        return .surface(Self.surface, rotation: .none)
    }

    func releaseSnapshot() { texture.removePicture(keepsTextures: true) }

    /// Has room for a picture of the page that was prepared last, after some calls.
    func makeRoom() { texture.makeRoomToCapture(list.viewport) }

    /// Whether there is room, and no picture in it.
    var hasRoom: Bool { texture.hasTextures && !texture.hasPicture }

    /// Lets go of the room for a picture, where there is none.
    func letRoomGo() { if !texture.hasPicture { texture.removePicture() } }

    /// Lays `page` out and has its text made ready, so that nothing is to be waited for when it is first seen.
    func prepare(_ page: Page, size: Size) {
        page.prepare(size)
        list.viewport =
            PixelRect(
                rounding: Rect(x: 0, y: 0, width: size.width * scale, height: size.height * scale)
            ).size
        guard !list.viewport.isEmpty else { return }
        page.captured.flatten(scale: scale, at: time, into: &list)
        compositor.images.prepare(list)
    }
}
