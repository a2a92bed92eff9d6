import Animation
import Geometry
import Layers
import Navigation
import Rendering

/// Takes the pictures of pages that show through beneath others.
@MainActor final class PageSnapshots: SnapshotSource {
    static let surface = SurfaceID(rawValue: 2)

    private let renderer: any Renderer
    /// The pictures that pages show.
    var surfaces: @MainActor (SurfaceID) -> (any VideoTarget)? = { _ in nil }
    private let target: any VideoTarget
    private var list = DisplayList(viewport: PixelSize(width: 0, height: 0))
    /// Device pixels per point.
    var scale = 1.0
    /// The time whose presentation values are taken.
    var time = LocalTime.zero

    init(renderer: any Renderer) {
        self.renderer = renderer
        target = renderer.makeVideoTarget(for: .capture)
    }

    /// The picture, while there is one.
    var current: (any VideoTarget)? { target.hasPicture ? target : nil }

    func capture(_ layer: Layer, size: Size) -> Layer.Content? {
        list.viewport =
            PixelRect(
                rounding: Rect(x: 0, y: 0, width: size.width * scale, height: size.height * scale)
            ).size
        guard !list.viewport.isEmpty else { return nil }
        layer.flatten(scale: scale, at: time, into: &list)
        do throws(RenderingError) {
            try renderer.capture(list, into: target, surfaces: surfaces)
        } catch {
            // A GPU without room for it: the page is drawn live.
            target.removePicture()
            return nil
        }
        return .surface(Self.surface, rotation: .none)
    }

    func releaseSnapshot() { target.removePicture(keepsMemory: true) }

    /// Whether there is memory for a picture, and no picture in it.
    var keepsMemory: Bool { target.hasMemory && !target.hasPicture }

    /// Lets go of the memory for a picture, where there is none.
    func letMemoryGo() { if keepsMemory { target.removePicture() } }

    /// Lays `page` out and has its text made ready, so that nothing is to be waited for when it is first seen.
    func prepare(_ page: Page, size: Size) {
        page.prepare(size)
        list.viewport =
            PixelRect(
                rounding: Rect(x: 0, y: 0, width: size.width * scale, height: size.height * scale)
            ).size
        guard !list.viewport.isEmpty else { return }
        page.captured.flatten(scale: scale, at: time, into: &list)
        renderer.images.prepare(list)
    }
}
