import Animation
import Geometry
import Layers
import Navigation
import Rendering

/// Takes snapshots of the pages beneath others, for transitions. Main thread.
@MainActor final class PageSnapshots: SnapshotSource {
    static let surface = SurfaceID(rawValue: 2)

    private let renderer: any Renderer
    /// Returns the target that a surface on a page stands for.
    var surfaces: @MainActor (SurfaceID) -> (any VideoTarget)? = { _ in nil }
    private let target: any VideoTarget
    private var list = DisplayList(viewport: PixelSize(width: 0, height: 0))
    /// Device pixels per point.
    var scale = 1.0
    /// The time at which animations are drawn.
    var time = LocalTime.zero

    init(renderer: any Renderer) {
        self.renderer = renderer
        target = renderer.makeVideoTarget(for: .capture)
    }

    /// The snapshot, if there is one.
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
            // Without GPU memory for it, the page is drawn live.
            target.removePicture()
            return nil
        }
        return .surface(Self.surface, rotation: .none)
    }

    func releaseSnapshot() { target.removePicture(keepsMemory: true) }

    /// Whether it holds memory but no snapshot.
    var keepsMemory: Bool { target.hasMemory && !target.hasPicture }

    /// Frees the memory unless it holds a snapshot.
    func releaseMemory() { if keepsMemory { target.removePicture() } }

    /// Lays out a page and rasterizes its text, so that its first frame has nothing to wait for.
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
