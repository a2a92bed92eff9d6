import GlissadeAnimation
import GlissadeGeometry
import GlissadeLayers
import Testing
import GlissadeTime

@Suite("Placement and appearance of layers") struct PlacementTests {
    private let white = Layer.Content.color(.white)
    private let root = Layer(frame: Rect(x: 0, y: 0, width: 100, height: 60))

    private func items(scale: Double = 1, at seconds: Double = 0) -> [DisplayList.Item] {
        var list = DisplayList(viewport: PixelSize(width: 100, height: 60))
        root.flatten(scale: scale, at: LocalTime(seconds: seconds), into: &list)
        return list.items
    }

    private func rect(_ item: DisplayList.Item?) -> PixelRect? {
        switch item {
        case .fill(let rect, _): rect
        case .box(let box): box.clip
        case .surface(let surface): surface.clip
        case .image(let image): image.clip
        case .shadow(let shadow): shadow.clip
        case nil: nil
        }
    }

    private func pixels(_ minX: Int, _ minY: Int, _ maxX: Int, _ maxY: Int) -> PixelRect {
        PixelRect(minX: minX, minY: minY, maxX: maxX, maxY: maxY)
    }

    @Test(
        "A translation moves a subtree by whole device pixels and keeps its inner layout",
        arguments: [1, 1.25, 2])
    func snapping(scale: Double) {
        let page = Layer(frame: Rect(x: 0.3, y: 0.3, width: 40, height: 20))
        root.add(page)
        for x in [0.2, 7.5, 13.77] { page.add(Layer(frame: Rect(x: x, y: 1.1, width: 5.4, height: 5), content: white)) }
        let before = items(scale: scale).map(rect)
        for step in 0..<50 {
            let translation = Point(x: Double(step) * 0.13, y: Double(step) * -0.01)
            page.translation = translation
            let (dx, dy) = (Int((translation.x * scale).rounded()), Int((translation.y * scale).rounded()))
            let moved = before.map { rect in
                rect.map { pixels($0.minX + dx, $0.minY + dy, $0.maxX + dx, $0.maxY + dy) }
            }
            #expect(items(scale: scale).map(rect) == moved)
        }
    }

    @Test("A scaled layer is enlarged about its center with its sublayers")
    func scaling() {
        let box = Layer(frame: Rect(x: 20, y: 20, width: 20, height: 10), content: white)
        box.add(Layer(frame: Rect(x: 10, y: 5, width: 10, height: 5), content: .color(.black)))
        root.add(box)
        box.scale = 2
        let list = items()
        #expect(rect(list.last) == pixels(30, 25, 50, 35))
        #expect(list.dropLast().compactMap(rect).map(\.maxX).max() == 50)
        #expect(list.dropLast().compactMap(rect).map(\.minX).min() == 10)
        box.scale = 0
        #expect(items().isEmpty)
        box.scale = -1
        #expect(items().isEmpty)
    }

    @Test("Clipping to bounds affects the sublayers, wherever the layer is, but not its shadow")
    func clipping() {
        let box = Layer(frame: Rect(x: 20, y: 20, width: 20, height: 10))
        let inner = Layer(frame: Rect(x: -5, y: -5, width: 100, height: 10), content: white)
        box.add(inner)
        root.add(box)
        #expect(items().map(rect) == [pixels(15, 15, 100, 25)])
        box.clipsToBounds = true
        #expect(items().map(rect) == [pixels(20, 20, 40, 25)])
        inner.translation = Point(x: 0, y: 30)
        #expect(items().isEmpty)
        box.shadow = Layer.Shadow(color: .black, blur: 4)
        #expect(items().map(rect) == [pixels(14, 14, 46, 36)])
        box.frame.size = .zero
        #expect(items().isEmpty)
    }

    @Test("Shade multiplies down the tree as (1 - a)(1 - b)")
    func shade() {
        let box = Layer(frame: Rect(x: 0, y: 0, width: 20, height: 10))
        box.add(Layer(frame: box.frame, content: .surface(SurfaceID(rawValue: 1), rotation: .none)))
        box.sublayers[0].shade = 0.5
        box.shade = 0.2
        root.add(box)
        guard case .surface(let surface)? = items().first else {
            Issue.record("no picture")
            return
        }
        #expect(abs(surface.shade - (1 - 0.5 * 0.8)) < 1e-12)
        #expect(surface.opacity == 1)
    }

    @Test(
        "Shade of an opaque layer equals a black layer of that opacity on top of it", arguments: [0.0, 0.3, 1, -1, 2])
    func shadeIsBlackOnTop(shade: Double) {
        let size = PixelSize(width: 30, height: 20)
        func drawn(_ change: (Layer) -> Void) -> [Canvas.Pixel] {
            let page = Layer(
                frame: Rect(origin: .zero, size: size.size), content: .color(Color(red: 1, green: 0.5, blue: 0.2)))
            page.add(
                Layer(
                    frame: Rect(x: 3, y: 3, width: 12, height: 9),
                    content: .gradient(Gradient(from: .white, to: Color(red: 0, green: 1, blue: 0, alpha: 0.3)))))
            page.add(Layer(frame: Rect(x: 9, y: 5, width: 12, height: 9), content: .image(ImageID(rawValue: 2))))
            change(page)
            var list = DisplayList(viewport: size)
            page.flatten(scale: 1, into: &list)
            var canvas = Canvas(size)
            canvas.draw(list.items)
            return canvas.pixels
        }
        let shaded = drawn { $0.shade = shade }
        let covered = drawn { page in
            let alpha = min(max(shade, 0), 1)
            page.add(Layer(frame: page.frame, content: .color(Color(red: 0, green: 0, blue: 0, alpha: alpha))))
        }
        for (a, b) in zip(shaded, covered) where ((a - b) * (a - b)).sum() > 1e-18 {
            Issue.record("\(a) is not \(b)")
            break
        }
    }

    @Test("Opacity multiplies down the tree and is clamped to 0…1")
    func opacity() {
        let box = Layer(frame: Rect(x: 0, y: 0, width: 20, height: 10))
        box.add(Layer(frame: box.frame, content: white))
        box.sublayers[0].opacity = 0.5
        root.add(box)
        for (opacity, alpha) in [(0.5, 0.25), (1, 0.5), (7, 0.5)] {
            box.opacity = opacity
            #expect(items() == [.fill(pixels(0, 0, 20, 10), Color(red: 1, green: 1, blue: 1, alpha: alpha))])
        }
        box.opacity = -1
        #expect(items().isEmpty)
    }

    @Test("A rounded box hides only items well within its corners")
    func corners() {
        let below = Layer(frame: Rect(x: 20, y: 10, width: 40, height: 40), content: white)
        let round = Layer(frame: Rect(x: 20, y: 10, width: 40, height: 40), content: .color(.black))
        root.add(below)
        root.add(round)
        #expect(items().count == 1)
        round.cornerRadius = 10
        #expect(items().count > 1)
        guard case .box(let box)? = items(scale: 1).last else {
            Issue.record("no box")
            return
        }
        #expect(box.cornerRadius == 10)
        #expect(box.destination == pixels(20, 10, 60, 50))
        // 10 · (1 - √½) is 2.93: the largest square within begins 3 px from the edge.
        below.frame = Rect(x: 23, y: 13, width: 34, height: 34)
        #expect(items().count == 1)
        below.frame = Rect(x: 22, y: 13, width: 34, height: 34)
        #expect(items().count == 2)
    }

    @Test("A corner radius scales with its layer and the display")
    func radius() {
        let round = Layer(frame: Rect(x: 20, y: 10, width: 20, height: 20), content: .color(.black))
        round.cornerRadius = 4
        round.scale = 1.5
        root.add(round)
        guard case .box(let box)? = items(scale: 2).last else {
            Issue.record("no box")
            return
        }
        #expect(box.cornerRadius == 12)
    }

    @Test("A shadow lies beneath its layer, reaches 1.5 times the blur, and moves by its offset")
    func shadow() {
        let box = Layer(frame: Rect(x: 20, y: 20, width: 20, height: 10), content: white)
        box.shadow = Layer.Shadow(color: .black, blur: 4, offset: Point(x: 0, y: 2))
        box.cornerRadius = 3
        box.shade = 0.5
        box.opacity = 0.5
        root.add(Layer(frame: Rect(x: 0, y: 0, width: 100, height: 60), content: .image(ImageID(rawValue: 1))))
        root.add(box)
        let list = items()
        #expect(list.count == 3)
        guard list.count == 3, case .shadow(let shadow) = list[1] else {
            Issue.record("no shadow beneath the box")
            return
        }
        #expect(shadow.caster == pixels(20, 22, 40, 32))
        #expect(shadow.clip == pixels(14, 16, 46, 38))
        #expect(shadow.blur == 4)
        #expect(shadow.cornerRadius == 3)
        #expect(shadow.color == Color(red: 0, green: 0, blue: 0, alpha: 0.5))
        // Its parent's clip cuts it, its own does not.
        root.clipsToBounds = true
        root.frame = Rect(x: 0, y: 0, width: 42, height: 60)
        #expect(items().compactMap(rect)[1] == pixels(14, 16, 42, 38))
    }

    @Test("Layers with absurd geometry neither trap nor draw outside of the viewport")
    func absurd() {
        let numbers = [Double.nan, .infinity, -.infinity, 1e300, -1e300, 1e-300, 0, -1]
        let contents: [Layer.Content] = [
            white, .gradient(Gradient(.white)), .image(ImageID(rawValue: 1)), .icon(.play, .white),
            .surface(SurfaceID(rawValue: 1), rotation: .none),
        ]
        for a in numbers {
            for b in numbers {
                let layer = Layer(frame: Rect(x: a, y: 3, width: b, height: 9), content: contents[0])
                for (index, content) in contents.enumerated() {
                    let inner = Layer(frame: Rect(x: 0, y: b, width: 50, height: a), content: content)
                    inner.cornerRadius = a
                    inner.shade = b
                    inner.translation = Point(x: b, y: a)
                    inner.scale = a
                    inner.opacity = b
                    inner.zPosition = a
                    inner.clipsToBounds = index % 2 == 0
                    inner.shadow = Layer.Shadow(color: .black, blur: a, offset: Point(x: b, y: b))
                    layer.add(inner)
                }
                layer.cornerRadius = b
                layer.shadow = Layer.Shadow(color: .black, blur: b, offset: Point(x: a, y: a))
                root.add(layer)
                for scale in numbers + [1] {
                    for item in items(scale: scale) {
                        #expect(pixels(0, 0, 100, 60).contains(rect(item) ?? pixels(0, 0, 999, 999)))
                        #expect(rect(item)?.isEmpty == false)
                    }
                }
                layer.removeFromSuperlayer()
            }
        }
    }

    @Test("An empty viewport has no items")
    func noViewport() {
        root.add(Layer(frame: Rect(x: 0, y: 0, width: 10, height: 10), content: white))
        var list = DisplayList(viewport: PixelSize(width: 0, height: -3))
        root.flatten(scale: 1, into: &list)
        #expect(list.items.isEmpty)
    }
}
