import GlissadeGeometry
import GlissadeLayers
import GlissadeRendering
import Testing
import GlissadeTestSupport

/// Text in captures: what is there at once, and what comes with the next one.
@MainActor @Suite("Text in captures") struct CapturedTextTests {
    private static func shown(_ captured: VideoTexture, on sheet: ImageTests.Sheet) throws -> Pixels {
        let all = PixelRect(size: sheet.canvas.surface.pixelSize)
        return try sheet.canvas.draw(
            [.surface(.init(surface: .below, destination: all, clip: all))], [.below: captured])
    }

    @Test("A capture has its short text at once and long text when taken again, and then looks like the list")
    func retaken() throws {
        let sheet = try ImageTests.Sheet()
        let items = [ImageTests.text(ImageTests.long, color: .white), ImageTests.text("short")]
        let short = try sheet.canvas.draw([items[1]])
        let captured = try sheet.canvas.capture(items)
        try #require(sheet.asked.withLock(\.main) == ["short"])
        sheet.wait(for: 1)
        #expect(sheet.images.takeFinished() && !sheet.images.takeFinished() && !sheet.images.hasFinished)
        #expect(try Self.shown(captured, on: sheet).bytes == short.bytes)
        let whole = try Self.shown(sheet.canvas.capture(items), on: sheet)
        #expect(whole[4, 3].x == 255)
        #expect(try whole.bytes == sheet.canvas.draw(items).bytes)
        #expect(sheet.asked.withLock(\.main) == ["short"] && sheet.asked.withLock(\.other) == [ImageTests.long])
    }

    @Test("Captures between two frames rasterize no more text at once than a frame, and leave the frame its share")
    func bounded() throws {
        let sheet = try ImageTests.Sheet()
        let count = ImageCache.inlineCount
        func texts(_ name: String, _ count: Int) -> [DisplayList.Item] {
            (0..<count).map { ImageTests.text("\(name) \($0)") }
        }
        _ = try sheet.canvas.draw(texts("frame", count))
        _ = try sheet.canvas.capture(texts("first", count - 2))
        _ = try sheet.canvas.capture(texts("second", 5))
        try #require(sheet.asked.withLock(\.main).count == 2 * count)
        sheet.wait(for: 3)
        #expect(sheet.asked.withLock(\.other) == ["second 2", "second 3", "second 4"])
        _ = try sheet.canvas.draw(texts("next", count))
        #expect(sheet.asked.withLock(\.main).count == 3 * count)
    }

    @Test("A capture does not wait when the first text takes long")
    func first() throws {
        let sheet = try ImageTests.Sheet(isSlowAtFirst: true)
        _ = try sheet.canvas.capture([ImageTests.text("a")])
        try #require(sheet.asked.withLock(\.main).isEmpty)
        sheet.wait(for: 1)
        _ = try sheet.canvas.capture([ImageTests.text("b")])
        #expect(sheet.asked.withLock(\.main) == ["b"] && sheet.asked.withLock(\.other) == ["a"])
    }

    @Test("A capture uploads no more text than a frame may, and invisible text does not count as new")
    func taking() throws {
        let sheet = try ImageTests.Sheet(uploadLimit: 16 * 8 * 4)
        let long = ImageTests.long
        _ = try sheet.canvas.capture([ImageTests.text(long + "a"), ImageTests.text(long + "b")])
        try #require(sheet.asked.withLock(\.main).isEmpty)
        sheet.wait(for: 2)
        for count in 1...2 {
            #expect(sheet.images.hasFinished && sheet.images.takeFinished())
            #expect(sheet.images.byteCount == count * 16 * 8 * 4)
        }
        #expect(!sheet.images.hasFinished && !sheet.images.takeFinished())
        var list = DisplayList(viewport: PixelSize(width: 32, height: 24))
        list.items = [ImageTests.text("empty")]
        sheet.images.prepare(list)
        sheet.wait(for: 3)
        #expect(sheet.images.hasFinished && !sheet.images.takeFinished() && !sheet.images.hasFinished)
    }
}
