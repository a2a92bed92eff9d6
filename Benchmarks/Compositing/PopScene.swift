import GlissadeGeometry
import GlissadeLayers
import GlissadeRendering

/// The textures of a page with a video and of the page below it.
@MainActor struct PopTextures {
    let video: VideoTexture
    let snapshot: VideoTexture

    func texture(for surface: SurfaceID) -> VideoTexture? {
        surface == PopScene.video ? video : surface == PopScene.snapshot ? snapshot : nil
    }
}

/// Makes display lists for a page with a video: at rest, and while it is dragged aside to reveal the page below.
struct PopScene {
    static let video = SurfaceID(rawValue: 1)
    static let snapshot = SurfaceID(rawValue: 2)

    let size: PixelSize

    /// The page at rest: only the video, drawn 1:1.
    var rest: DisplayList {
        var list = DisplayList(viewport: size)
        let all = PixelRect(size: size)
        list.items = [.surface(SurfacePlacement(surface: Self.video, destination: all, clip: all))]
        return list
    }

    /// Makes the list for the pop transition at `progress`: the page covers the screen at 0, and has left it at 1.
    func pop(_ progress: Double, into list: inout DisplayList) {
        let width = Double(size.width)
        let edge = Int((progress * width).rounded())
        let parallax = Int((-0.3 * (1 - progress) * width).rounded())
        list.items.removeAll(keepingCapacity: true)
        let below = PixelRect(minX: 0, minY: 0, maxX: edge, maxY: size.height)
        if !below.isEmpty {
            list.items.append(
                .surface(
                    SurfacePlacement(
                        surface: Self.snapshot, destination: placed(parallax), clip: below, shade: 0.10 * (1 - progress)
                    )))
            let strip = PixelRect(minX: edge - 21, minY: 0, maxX: edge, maxY: size.height)
            let clear = Color(red: 0, green: 0, blue: 0, alpha: 0)
            let dark = Color(red: 0, green: 0, blue: 0, alpha: 0.25 * (1 - progress))
            list.items.append(
                .box(
                    BoxPlacement(
                        destination: strip, clip: strip.intersection(below),
                        gradient: Gradient(from: clear, to: dark, axis: .horizontal))))
        }
        let above = PixelRect(minX: edge, minY: 0, maxX: size.width, maxY: size.height)
        if !above.isEmpty {
            list.items.append(.surface(SurfacePlacement(surface: Self.video, destination: placed(edge), clip: above)))
        }
    }

    private func placed(_ x: Int) -> PixelRect {
        PixelRect(minX: x, minY: 0, maxX: x + size.width, maxY: size.height)
    }
}
