import GlissadeGeometry
import GlissadeLayers
import Testing
import GlissadeTime

@testable import GlissadeRendering

/// What is made ready for a page before it is seen.
@MainActor @Suite("Preparing pages") struct PreparationTests {
    private static func list(_ items: [DisplayList.Item]) -> DisplayList {
        var list = DisplayList(viewport: PixelSize(width: 32, height: 24))
        list.items = items
        return list
    }

    @Test("Images of a covered page are kept while the page is prepared now and then")
    func covered() throws {
        let sheet = try ImageTests.Sheet()
        let list = Self.list([ImageTests.text("row"), ImageTests.text("other")])
        sheet.images.prepare(list)
        sheet.wait(for: 2)
        for frame in 0..<5000 {
            if frame % 240 == 0 { sheet.images.prepare(list) }
            try sheet.drawNothing()
        }
        _ = try sheet.canvas.draw(list.items)
        #expect(sheet.asked.withLock(\.main).isEmpty && sheet.asked.withLock(\.other) == ["row", "other"])
    }

    @Test("An image prepared once is still there 2000 frames later and is dropped in the end")
    func forgotten() throws {
        let sheet = try ImageTests.Sheet()
        sheet.images.prepare(Self.list([ImageTests.text("row")]))
        sheet.wait(for: 1)
        for _ in 0..<2000 { try sheet.drawNothing() }
        #expect(sheet.images.byteCount > 0)
        for _ in 0..<4200 { try sheet.drawNothing() }
        #expect(sheet.images.byteCount == 0)
    }

    @Test("For pages prepared but never drawn the amount of waiting text is limited")
    func neverDrawn() throws {
        let sheet = try ImageTests.Sheet()
        func prepare(_ numbers: Range<Int>) {
            sheet.images.prepare(Self.list(numbers.map { ImageTests.text("\($0)") }))
        }
        let limit = RasterThread.requestLimit
        prepare(0..<limit)
        sheet.wait(for: limit)
        // These are given up for those after them.
        prepare(limit..<limit + 200)
        prepare(limit + 200..<2 * limit + 200)
        #expect(sheet.asked.withLock(\.other).count == limit)
        #expect(sheet.images.takeFinished())
        sheet.wait(for: 2 * limit)
        // Where the thread was quick, all of them were taken before.
        _ = sheet.images.takeFinished()
        #expect(sheet.images.byteCount == 2 * limit * 16 * 8 * 4)
        let later = (limit + 200..<2 * limit + 200).map { "\($0)" }
        #expect(sheet.asked.withLock(\.other).suffix(limit) == later[...])
    }

    @Test("Warming up the shaders uploads no text")
    func warmUp() throws {
        let sheet = try ImageTests.Sheet()
        sheet.images.prepare(Self.list([ImageTests.text("row")]))
        sheet.wait(for: 1)
        for step in 0..<Compositor.warmUpSteps { try sheet.canvas.compositor.warmUp(step: step) }
        #expect(sheet.images.hasFinished && sheet.images.byteCount == 0)
        #expect(sheet.images.takeMissing().isEmpty)
        #expect(sheet.images.takeFinished())
    }

    @Test("Missing images of a prepared page are reported, and its present ones outlive others")
    func images() throws {
        let sheet = try ImageTests.Sheet(byteLimit: 2 * 4 * 4 * 4 * 4 / 3)
        let side = PixelSize(width: 4, height: 4)
        let list = Self.list([ImageTests.image(1, PixelRect(size: side)), ImageTests.image(4, PixelRect(size: side))])
        for id in 1...2 { try sheet.images.set(ImageID(rawValue: id), .painted(side, .white)) }
        try sheet.drawNothing()
        sheet.images.prepare(list)
        #expect(sheet.images.takeMissing() == [ImageID(rawValue: 4)])
        try sheet.images.set(ImageID(rawValue: 3), .painted(side, .white))
        try sheet.drawNothing()
        #expect([1, 2, 3].map { sheet.images.has(ImageID(rawValue: $0)) } == [true, false, true])
    }
}

extension ImageTests.Sheet {
    /// A frame without items, not read back.
    func drawNothing() throws {
        try canvas.compositor.draw(DisplayList(viewport: PixelSize(width: 1, height: 1))) { _ in nil }
    }
}
