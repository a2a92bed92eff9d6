import GlissadeAnimation
import GlissadeGeometry
import GlissadeLayers
import Testing

@Suite("Rotating display lists") struct ListRotationTests {
    private static let viewport = PixelSize(width: 100, height: 60)
    private let black = Color.black
    private let white = Color.white

    private func rect(_ minX: Int, _ minY: Int, _ maxX: Int, _ maxY: Int) -> PixelRect {
        PixelRect(minX: minX, minY: minY, maxX: maxX, maxY: maxY)
    }

    private func rotated(_ items: [DisplayList.Item]) -> DisplayList {
        var list = DisplayList(viewport: Self.viewport, scale: 1.5)
        list.items = items
        list.rotateClockwise()
        return list
    }

    private func list(of count: Int, seed: Int) -> DisplayList {
        var forest = RandomForest(seed: UInt64(4000 + seed))
        var list = DisplayList(viewport: Self.viewport)
        forest.tree(of: count, in: Self.viewport).flatten(scale: 1, at: LocalTime(seconds: 0), into: &list)
        return list
    }

    @Test("Each kind of item is rotated by a quarter, and the viewport with it")
    func items() {
        // 10 from the left and 5 from the top: afterwards 10 from the top and 5 from the right.
        let (before, after) = (rect(10, 5, 30, 20), rect(40, 10, 55, 30))
        let (clip, rotatedClip) = (rect(12, 5, 30, 18), rect(42, 12, 55, 30))
        let text = ImagePlacement.Source.text(TextContent("Text", style: TextStyle(size: 9, color: white)))
        let list = rotated([
            .fill(before, white),
            .box(
                BoxPlacement(
                    destination: before, clip: clip, cornerRadius: 3, gradient: Gradient(from: black, to: white))),
            .box(
                BoxPlacement(
                    destination: before, clip: clip,
                    gradient: Gradient(from: black, to: white, axis: .horizontal))),
            .surface(
                SurfacePlacement(
                    surface: SurfaceID(rawValue: 1), destination: before, clip: clip, rotation: .threeQuarters,
                    opacity: 0.5, shade: 0.2, cornerRadius: 4, quarterTurns: 0.3)),
            .image(
                ImagePlacement(
                    source: text, destination: before, clip: clip, opacity: 0.5, shade: 0.2, cornerRadius: 4)),
            .shadow(ShadowPlacement(caster: before, clip: clip, blur: 6, cornerRadius: 2, color: black)),
        ])
        #expect(list.viewport == PixelSize(width: 60, height: 100) && list.scale == 1.5)
        #expect(
            list.items == [
                .fill(after, white),
                .box(
                    BoxPlacement(
                        destination: after, clip: rotatedClip, cornerRadius: 3,
                        gradient: Gradient(from: white, to: black, axis: .horizontal))),
                .box(
                    BoxPlacement(
                        destination: after, clip: rotatedClip,
                        gradient: Gradient(from: black, to: white, axis: .vertical))),
                .surface(
                    SurfacePlacement(
                        surface: SurfaceID(rawValue: 1), destination: after, clip: rotatedClip, rotation: .none,
                        opacity: 0.5, shade: 0.2, cornerRadius: 4, quarterTurns: 0.3)),
                .image(
                    ImagePlacement(
                        source: text, destination: after, clip: rotatedClip, rotation: .quarter, opacity: 0.5,
                        shade: 0.2, cornerRadius: 4)),
                .shadow(ShadowPlacement(caster: after, clip: rotatedClip, blur: 6, cornerRadius: 2, color: black)),
            ])
        let image: ImagePlacement? = if case .image(let image) = list.items[4] { image } else { nil }
        #expect(image?.uprightSize == before.size, "text is laid out as before")
    }

    @Test("Four quarter turns restore the list", arguments: 0..<20)
    func fourTurns(seed: Int) {
        let list = list(of: 40, seed: seed)
        var other = list
        for _ in 0..<3 {
            other.rotateClockwise()
            #expect(other != list)
        }
        other.rotateClockwise()
        #expect(other == list)
    }

    @Test("A rotated list shows what the list shows, rotated", arguments: 0..<40)
    func pixels(seed: Int) {
        let list = list(of: 10 + seed, seed: seed)
        var other = list
        other.rotateClockwise()
        var (before, after) = (Canvas(list.viewport), Canvas(other.viewport))
        before.draw(list.items)
        after.draw(other.items)
        let (width, height) = (Self.viewport.width, Self.viewport.height)
        for y in 0..<height {
            for x in 0..<width {
                let difference = before.pixels[y * width + x] - after.pixels[x * height + height - 1 - y]
                guard (difference * difference).sum() > 1e-18 else { continue }
                Issue.record("\(x), \(y) differs by \(difference)")
                return
            }
        }
    }

    @Test("Rotating a list gives the items of layers that are laid out rotated")
    func layout() {
        /// Layers at these places, and where a rotated layout has them.
        func flattened(_ isRotated: Bool) -> DisplayList {
            let size = Self.viewport.rotated(by: isRotated ? .quarter : .none)
            let root = Layer(frame: Rect(origin: .zero, size: size.size))
            func add(_ x: Double, _ y: Double, _ width: Double, _ height: Double, _ content: Layer.Content) -> Layer {
                let frame =
                    isRotated
                    ? Rect(x: 60 - y - height, y: x, width: height, height: width)
                    : Rect(x: x, y: y, width: width, height: height)
                let layer = Layer(frame: frame, content: content)
                root.add(layer)
                return layer
            }
            _ = add(2, 3, 10, 8, .color(Color(red: 1, green: 0, blue: 0, alpha: 0.5)))
            let gradient =
                isRotated
                ? Gradient(from: black, to: white, axis: .horizontal) : Gradient(from: white, to: black)
            add(20, 4, 30, 9, .gradient(gradient)).cornerRadius = 3
            let rotation: QuarterTurns = isRotated ? .half : .quarter
            add(60, 10, 20, 30, .surface(SurfaceID(rawValue: 1), rotation: rotation)).cornerRadius = 2
            let shadowed = add(30, 30, 20, 12, .color(white))
            shadowed.shadow = Layer.Shadow(color: black, blur: 4)
            var list = DisplayList(viewport: size)
            root.flatten(scale: 1, into: &list)
            return list
        }
        var list = flattened(false)
        #expect(list.items.count == 5)
        list.rotateClockwise()
        #expect(list == flattened(true))
    }

    @Test("What a rotated list hides and what changes in it are the same, rotated", arguments: 0..<40)
    func damage(seed: Int) throws {
        let size = Self.viewport
        var (before, after) = (list(of: 12, seed: seed), list(of: 12, seed: seed))
        after.items.insert(.fill(rect(seed, 10, seed + 9, 15), white), at: after.items.count / 2)
        after.items.append(.fill(rect(40, 20, 90, 50), white))
        let damage = try #require(after.damage(since: before) { _ in false })
        let parts = [rect(45, 25, 80, 40), rect(0, 0, 30, 30), PixelRect(size: size)]
        let first = parts.map { after.firstSeen(in: $0) }
        before.rotateClockwise()
        after.rotateClockwise()
        #expect(after.damage(since: before) { _ in false } == damage.rotated(by: .quarter, in: size))
        #expect(parts.map { after.firstSeen(in: $0.rotated(by: .quarter, in: size)) } == first)
    }

    @Test("A list is rotated in its own storage")
    func storage() {
        var list = list(of: 60, seed: 1)
        let before = list.items.withUnsafeBufferPointer { $0.baseAddress }
        list.rotateClockwise()
        #expect(list.items.withUnsafeBufferPointer { $0.baseAddress } == before)
    }
}
