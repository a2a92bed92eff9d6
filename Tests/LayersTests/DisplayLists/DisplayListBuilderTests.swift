import GlissadeGeometry
import GlissadeLayers
import Testing

@Suite("Building display lists") struct DisplayListBuilderTests {
    private let black = Layer.Content.color(.black)
    private let picture = Layer.Content.surface(SurfaceID(rawValue: 7), rotation: .quarter)

    private func root(_ layers: Layer...) -> Layer {
        let root = Layer(frame: Rect(x: 0, y: 0, width: 100, height: 60))
        for layer in layers { root.add(layer) }
        return root
    }

    private func items(_ layer: Layer, scale: Double = 1) -> [DisplayList.Item] {
        var list = DisplayList(viewport: PixelSize(width: 100, height: 60))
        list.items = [.fill(PixelRect(minX: 0, minY: 0, maxX: 1, maxY: 1), .white)]
        layer.flatten(scale: scale, into: &list)
        return list.items
    }

    @Test("Items are listed bottom first, and the former content of the list is removed")
    func order() {
        let below = Layer(frame: Rect(x: 0, y: 0, width: 10, height: 10), content: black)
        let above = Layer(frame: Rect(x: 20, y: 0, width: 10, height: 10), content: .color(.white))
        #expect(
            items(root(below, above)) == [
                .fill(PixelRect(minX: 0, minY: 0, maxX: 10, maxY: 10), .black),
                .fill(PixelRect(minX: 20, minY: 0, maxX: 30, maxY: 10), .white),
            ])
    }

    @Test("A sublayer lies above its parent, relative to its corner, and is hidden with it")
    func nesting() {
        let child = Layer(frame: Rect(x: 5, y: 5, width: 10, height: 10), content: .color(.white))
        let parent = Layer(frame: Rect(x: 10, y: 20, width: 4, height: 4), content: black)
        parent.add(child)
        #expect(
            items(root(parent)) == [
                .fill(PixelRect(minX: 10, minY: 20, maxX: 14, maxY: 24), .black),
                .fill(PixelRect(minX: 15, minY: 25, maxX: 25, maxY: 35), .white),
            ])
        parent.isHidden = true
        #expect(items(root(parent)).isEmpty)
    }

    @Test("Hidden, transparent, empty and outside layers are not listed")
    func invisible() {
        let hidden = Layer(frame: Rect(x: 0, y: 0, width: 10, height: 10), content: black)
        hidden.isHidden = true
        let transparent = Layer(frame: Rect(x: 0, y: 0, width: 10, height: 10), content: picture)
        transparent.opacity = 0
        let empty = Layer(frame: Rect(x: 0, y: 0, width: 0, height: 10), content: black)
        let outside = Layer(frame: Rect(x: 100, y: 0, width: 10, height: 10), content: black)
        let colourless = Layer(
            frame: Rect(x: 0, y: 0, width: 9, height: 9), content: .color(Color(red: 1, green: 1, blue: 1, alpha: 0)))
        #expect(items(root(hidden, transparent, empty, outside, colourless)).isEmpty)
    }

    @Test("A layer covered by several opaque ones together is left out")
    func covered() {
        let below = Layer(frame: Rect(x: 10, y: 10, width: 40, height: 20), content: picture)
        let left = Layer(frame: Rect(x: 0, y: 0, width: 30, height: 60), content: black)
        let right = Layer(frame: Rect(x: 30, y: 0, width: 30, height: 60), content: black)
        #expect(items(root(below, left, right)).count == 2)
        right.opacity = 0.5
        #expect(items(root(below, left, right)).count == 3)
    }

    @Test("A background is cut into the bars beside a video")
    func bars() {
        let background = Layer(frame: Rect(x: 0, y: 0, width: 100, height: 60), content: black)
        let film = Layer(frame: Rect(x: 0, y: 10, width: 100, height: 40), content: picture)
        let list = items(root(background, film))
        #expect(
            Set(list.dropLast().map(fillRect)) == [
                PixelRect(minX: 0, minY: 0, maxX: 100, maxY: 10), PixelRect(minX: 0, minY: 50, maxX: 100, maxY: 60),
            ])
        let whole = PixelRect(minX: 0, minY: 10, maxX: 100, maxY: 50)
        let placement = SurfacePlacement(
            surface: SurfaceID(rawValue: 7), destination: whole, clip: whole, rotation: .quarter)
        #expect(list.last == .surface(placement))
    }

    @Test("A background visible on more than two sides stays one item")
    func background() {
        let background = Layer(frame: Rect(x: -10, y: 0, width: 120, height: 60), content: black)
        let film = Layer(frame: Rect(x: 20, y: 10, width: 60, height: 40), content: picture)
        let whole = DisplayList.Item.fill(PixelRect(minX: 0, minY: 0, maxX: 100, maxY: 60), .black)
        #expect(items(root(background, film)).first == whole && items(root(background, film)).count == 2)
        // A page between them whose film leaves a line of it.
        let page = Layer(frame: Rect(x: 20, y: 9, width: 60, height: 42), content: black)
        #expect(items(root(background, page, film)).first == whole && items(root(background, page, film)).count == 2)
        page.content = .color(.white)
        #expect(items(root(background, page, film)).compactMap(fillRect).count == 3)
        // What lies above something else stays.
        let card = Layer(frame: Rect(x: 0, y: 0, width: 8, height: 8), content: .color(.white))
        let spot = Layer(frame: Rect(x: 2, y: 2, width: 4, height: 4), content: black)
        #expect(items(root(background, card, spot, film)).count == 4)
        // Less than all of the target, or not opaque, it is cut as ever, or whole as ever.
        background.frame.size.width = 109
        #expect(items(root(background, film)).compactMap(fillRect).count == 4)
        background.frame.size.width = 120
        background.opacity = 0.5
        #expect(items(root(background, film)).compactMap(fillRect).count == 4)
    }

    private func fillRect(_ item: DisplayList.Item) -> PixelRect? {
        if case .fill(let rect, _) = item { rect } else { nil }
    }

    @Test("A surface keeps its destination and is clipped to the viewport and the visible part")
    func clips() {
        let film = Layer(frame: Rect(x: -20, y: 0, width: 100, height: 80), content: picture)
        let cover = Layer(frame: Rect(x: 0, y: 0, width: 100, height: 15), content: black)
        guard case .surface(let placement)? = items(root(film, cover)).first else {
            Issue.record("no picture in the list")
            return
        }
        #expect(placement.destination == PixelRect(minX: -20, minY: 0, maxX: 80, maxY: 80))
        #expect(placement.clip == PixelRect(minX: 0, minY: 15, maxX: 80, maxY: 60))
    }

    @Test("Opacity multiplies down the tree, and translucent layers hide nothing")
    func opacity() {
        let below = Layer(frame: Rect(x: 0, y: 0, width: 10, height: 10), content: black)
        let film = Layer(frame: Rect(x: 0, y: 0, width: 10, height: 10), content: picture)
        film.opacity = 0.5
        let group = Layer(frame: Rect(x: 0, y: 0, width: 10, height: 10))
        group.opacity = 0.5
        group.add(film)
        let list = items(root(below, group))
        #expect(list.count == 2)
        guard case .surface(let placement)? = list.last else {
            Issue.record("no picture on top")
            return
        }
        #expect(placement.opacity == 0.25)
    }

    @Test("Points are scaled to pixels, and adjacent layers meet without a gap")
    func scale() {
        let left = Layer(frame: Rect(x: 0, y: 0, width: 10.3, height: 10), content: black)
        let right = Layer(frame: Rect(x: 10.3, y: 0, width: 10, height: 10), content: .color(.white))
        #expect(
            items(root(left, right), scale: 1.5) == [
                .fill(PixelRect(minX: 0, minY: 0, maxX: 15, maxY: 15), .black),
                .fill(PixelRect(minX: 15, minY: 0, maxX: 30, maxY: 15), .white),
            ])
    }
}
