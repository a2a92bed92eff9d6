import GlissadeAnimation
import GlissadeGeometry
import GlissadeLayers
import Testing
import GlissadeTime

@Suite("Damage between display lists") struct DamageTests {
    private static let viewport = PixelSize(width: 64, height: 48)

    private func list(_ items: [DisplayList.Item], scale: Double = 1) -> DisplayList {
        var list = DisplayList(viewport: Self.viewport, scale: scale)
        list.items = items
        return list
    }

    private func rect(_ x: Int, _ y: Int, _ width: Int, _ height: Int) -> PixelRect {
        PixelRect(minX: x, minY: y, maxX: x + width, maxY: y + height)
    }

    private func fill(_ rect: PixelRect, _ grey: Double = 0.5) -> DisplayList.Item {
        .fill(rect, Color(red: grey, green: grey, blue: grey))
    }

    @Test("Outside of the damage a random layer tree looks as before, however its layers moved", arguments: 0..<60)
    func random(seed: Int) throws {
        var forest = RandomForest(seed: UInt64(7000 + seed))
        let root = forest.tree(of: 12 + seed, in: Self.viewport)
        var before = DisplayList(viewport: Self.viewport)
        root.flatten(scale: 1, at: LocalTime(seconds: 0), into: &before)
        before.items.removeAll { if case .surface = $0 { true } else { false } }
        var after = before
        // One goes, one comes, one moves; or nothing does.
        if seed % 4 != 0, !after.items.isEmpty { after.items.remove(at: seed % after.items.count) }
        if seed % 3 != 0 { after.items.insert(fill(rect(seed % 40, seed % 30, 9, 5)), at: after.items.count / 2) }
        let part = try #require(after.damage(since: before))
        var (old, new) = (Canvas(Self.viewport), Canvas(Self.viewport))
        old.draw(before.items)
        new.draw(after.items)
        for (index, (a, b)) in zip(old.pixels, new.pixels).enumerated() where a != b {
            let (x, y) = (index % Self.viewport.width, index / Self.viewport.width)
            #expect(part.contains(rect(x, y, 1, 1)), "\(x), \(y) has changed outside of \(part)")
        }
        #expect(PixelRect(size: Self.viewport).contains(part))
    }

    @Test("The damage is no larger than what appeared and disappeared")
    func exact() {
        let background = fill(PixelRect(size: Self.viewport), 0)
        let (near, far) = (rect(4, 5, 6, 7), rect(30, 20, 10, 8))
        let before = list([background, fill(near), fill(rect(50, 40, 4, 4))])
        #expect(before.damage(since: before)?.isEmpty == true)
        #expect(list([background, fill(far), fill(rect(50, 40, 4, 4))]).damage(since: before) == near.union(far))
        #expect(list([background, fill(near, 0.6), fill(rect(50, 40, 4, 4))]).damage(since: before) == near)
        #expect(list([background, fill(rect(50, 40, 4, 4))]).damage(since: before) == near)
        #expect(
            list([background, fill(near), fill(far), fill(rect(50, 40, 4, 4))]).damage(since: before) == far)
        #expect(list([]).damage(since: list([]))?.isEmpty == true)
        #expect(
            list([fill(rect(-20, -20, 30, 30))]).damage(since: list([])) == rect(0, 0, 10, 10),
            "nothing beyond the target is drawn")
        #expect(list([fill(rect(80, 80, 3, 3))]).damage(since: list([]))?.isEmpty == true)
    }

    @Test("Equal items in a row are told apart by their count")
    func repeated() {
        let item = fill(rect(1, 2, 3, 4))
        #expect(list([item, item]).damage(since: list([item])) == rect(1, 2, 3, 4))
        #expect(list([item]).damage(since: list([item, item, item])) == rect(1, 2, 3, 4))
    }

    @Test("Surfaces with new frames are part of the damage")
    func surfaces() {
        func film(_ id: Int, _ clip: PixelRect) -> DisplayList.Item {
            .surface(SurfacePlacement(surface: SurfaceID(rawValue: id), destination: clip, clip: clip))
        }
        let (near, far) = (rect(4, 5, 6, 7), rect(30, 20, 10, 8))
        let before = list([film(1, near), fill(rect(1, 1, 2, 2)), film(2, far)])
        #expect(before.damage(since: before) { _ in false }?.isEmpty == true)
        #expect(before.damage(since: before) { $0.rawValue == 1 } == near)
        #expect(before.damage(since: before) { _ in true } == near.union(far))
        let after = list([film(1, near), fill(rect(1, 1, 3, 2)), film(2, far)])
        #expect(after.damage(since: before) { _ in false } == rect(1, 1, 3, 2))
        #expect(after.damage(since: before) { $0.rawValue == 2 } == rect(1, 1, 3, 2).union(far))
        #expect(list([film(1, far)]).damage(since: list([film(1, near)])) { _ in false } == near.union(far))
        #expect(list([film(1, far)], scale: 2).damage(since: list([film(1, far)])) { _ in false } == nil)
    }

    @Test("Lists of different targets cannot be compared")
    func unknown() {
        let plain = list([fill(rect(0, 0, 8, 8))])
        #expect(list(plain.items, scale: 2).damage(since: plain) == nil)
        var other = plain
        other.viewport.width += 1
        #expect(other.damage(since: plain) == nil)
    }

    @Test("What an opaque rectangle covers within the damage is not drawn")
    func firstSeen() {
        let part = rect(10, 10, 20, 20)
        func film(_ change: (inout SurfacePlacement) -> Void = { _ in }) -> DisplayList.Item {
            var placement = SurfacePlacement(surface: SurfaceID(rawValue: 1), destination: part, clip: part)
            change(&placement)
            return .surface(placement)
        }
        func first(_ items: DisplayList.Item...) -> Int { list(items).firstSeen(in: part) }
        #expect(first() == 0 && first(fill(rect(0, 0, 5, 5))) == 0)
        #expect(first(fill(part), film(), fill(rect(12, 12, 3, 3))) == 1)
        #expect(first(film(), fill(part), .fill(part, Color(red: 0, green: 0, blue: 0, alpha: 0.9))) == 1)
        #expect(first(fill(part), fill(rect(9, 10, 20, 20))) == 0)
        #expect(first(fill(part), fill(rect(9, 9, 22, 22))) == 1)
        #expect(first(fill(part), film { $0.opacity = 0.99 }) == 0)
        #expect(first(fill(part), film { $0.quarterTurns = 0.5 }) == 0)
        #expect(first(fill(part), film { $0.cornerRadius = 1 }) == 0)
        #expect(first(fill(part), film { $0.clip.maxY -= 1 }) == 0)
        let image = ImagePlacement(source: .image(ImageID(rawValue: 0)), destination: part, clip: part)
        #expect(first(fill(part), .image(image)) == 0, "it may be seen through, or not be there yet")
    }

    @Test("Redrawing only the damage makes a random tree look the same", arguments: 0..<40)
    func partial(seed: Int) throws {
        var forest = RandomForest(seed: UInt64(300 + seed))
        let root = forest.tree(of: 20 + seed, in: Self.viewport)
        var whole = DisplayList(viewport: Self.viewport)
        root.flatten(scale: 1, at: LocalTime(seconds: 0), into: &whole)
        let part = rect(seed % 30, seed % 20, 3 + seed % 7, 2 + seed % 9)
        whole.items.insert(fill(part.union(rect(5, 5, 9, 9)), 0.3), at: whole.items.count / 2)
        var (all, some) = (Canvas(Self.viewport), Canvas(Self.viewport))
        all.draw(whole.items)
        some.draw(Array(whole.items.dropFirst(whole.firstSeen(in: part))))
        #expect(whole.firstSeen(in: part) >= whole.items.count / 2 - 1)
        for y in part.minY..<part.maxY {
            for x in part.minX..<part.maxX {
                let index = y * Self.viewport.width + x
                #expect(all.pixels[index] == some.pixels[index])
            }
        }
    }
}

extension DisplayList {
    /// Where no surface has a new picture.
    fileprivate func damage(since earlier: DisplayList) -> PixelRect? { damage(since: earlier) { _ in false } }
}
