import GlissadeAnimation
import GlissadeGeometry
import GlissadeLayers
import GlissadeNavigation
import GlissadeRendering

/// Takes snapshots of the lower page of a transition. Holds at most one snapshot at a time. Main thread.
@MainActor final class PageSnapshots: SnapshotSource {
    static let surface = SurfaceID(rawValue: 2)

    private let renderer: any Renderer
    /// Returns the target that holds the content of a surface; nil if there is none.
    var surfaces: @MainActor (SurfaceID) -> (any VideoTarget)? = { _ in nil }
    private let target: any VideoTarget
    private var list = DisplayList(viewport: PixelSize(width: 0, height: 0))
    /// Device pixels per point.
    var scale = 1.0
    /// The time for which the animations of a page's layers are evaluated.
    var time = LocalTime.zero

    init(renderer: any Renderer) {
        self.renderer = renderer
        target = renderer.makeVideoTarget(for: .capture)
    }

    /// The target that holds the snapshot; nil if there is no snapshot.
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
            // If the capture fails, for example for lack of GPU memory, the page is drawn live.
            target.removePicture()
            return nil
        }
        return .surface(Self.surface, rotation: .none)
    }

    func releaseSnapshot() { target.removePicture(keepsMemory: true) }

    /// Whether memory for a snapshot is allocated but not in use.
    var keepsMemory: Bool { target.hasMemory && !target.hasPicture }

    /// Frees the memory for a snapshot, unless it is in use.
    func releaseMemory() { if keepsMemory { target.removePicture() } }

    /// Lays out a page, and requests its text, icons and missing images in advance, for the page's first frame.
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
