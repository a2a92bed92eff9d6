import GlissadeGeometry
import GlissadeLayers
import GlissadePicture
import GlissadeRendering

/// Many small, visible layers like those of real pages: plain colors, images, text, and rounded rectangles with a
/// shadow, in equal numbers.
///
/// The size of the layers does not depend on their number, so that only their number affects the cost.
enum BenchmarkLayers {
    /// The size of the grid cell that contains a layer, in points.
    static let cell = Size(width: 36, height: 24)
    /// The number of different images.
    static let imageCount = 16

    /// Makes a layer with `count` sublayers, arranged in rows from the upper left corner.
    ///
    /// Once the rows fill `size`, further sublayers are placed over the earlier ones, starting again from that corner.
    /// Hit tests ignore the layer and all its sublayers.
    static func make(_ count: Int, in size: Size, images: [ImageID]) -> Layer {
        let field = Layer(frame: Rect(origin: .zero, size: size))
        field.isHitTestable = false
        let columns = max(1, Int(size.width / cell.width))
        let rows = max(1, Int(size.height / cell.height))
        for index in 0..<max(0, count) {
            let (row, column) = (index / columns % rows, index % columns)
            let layer = Layer(
                frame: Rect(
                    x: Double(column) * cell.width + 2, y: Double(row) * cell.height + 2, width: cell.width - 4,
                    height: cell.height - 4))
            layer.isHitTestable = false
            fill(layer, index, images)
            field.add(layer)
        }
        return field
    }

    private static func fill(_ layer: Layer, _ index: Int, _ images: [ImageID]) {
        switch index % 4 {
        case 0: layer.content = .color(Color(red: 0.2, green: 0.3, blue: 0.5, alpha: 0.7))
        case 1:
            guard !images.isEmpty else { return layer.content = .icon(.play, .white) }
            layer.content = .image(images[index / 4 % images.count])
        case 2: layer.content = .text(TextContent("\(index)", style: TextStyle(size: 12, color: .white)))
        default:
            layer.content = .color(Color(red: 0.15, green: 0.15, blue: 0.18))
            layer.cornerRadius = 6
            layer.shadow = Layer.Shadow(
                color: Color(red: 0, green: 0, blue: 0, alpha: 0.5), blur: 8, offset: Point(x: 0, y: 2))
        }
    }

    /// Uploads the images, and returns the ids of those that the renderer accepts. The renderer's context must be
    /// current.
    @MainActor static func images(in renderer: any Renderer) -> [ImageID] {
        let size = PixelSize(width: 64, height: 40)
        return (0..<imageCount).compactMap { number in
            let id = renderer.images.newID()
            var pixels: [UInt8] = []
            pixels.reserveCapacity(size.width * size.height * 4)
            for place in 0..<size.width * size.height {
                let (x, y) = (place % size.width, place / size.width)
                pixels += [UInt8(x * 4), UInt8(y * 6), UInt8(number * 16), 255]
            }
            do throws(RenderingError) {
                try renderer.images.set(id, Bitmap(size: size, pixels: pixels))
            } catch { return nil }
            return id
        }
    }
}
