import GlissadeGeometry
import GlissadeLayers
import Testing
import GlissadeTime

@testable import GlissadeApp

/// Where a picture lies in its box.
@Suite("Video box")
@MainActor struct VideoBoxTests {
    private let box = VideoBox()
    private let frame = Rect(x: 10, y: 20, width: 640, height: 360)

    private var picture: Rect { box.layer.sublayers[0].frame }
    private func at(_ milliseconds: Int) -> HostTime { HostTime(nanoseconds: Int64(milliseconds) * 1_000_000) }
    private func layout(_ aspect: Size?, scale: Double = 1) { box.layout(frame, aspect: aspect, scale: scale) }

    @Test("A fitted video lies in its box completely and is not clipped")
    func fit() {
        layout(Size(width: 4, height: 3))
        #expect(box.mode == .fit)
        #expect(picture == Rect(x: 80, y: 0, width: 480, height: 360))
        #expect(box.pixelSize == PixelSize(width: 480, height: 360))
        #expect(!box.layer.clipsToBounds)
    }

    @Test("A filling video covers its box, centered and clipped to it")
    func fill() {
        box.setMode(.fill, isAnimated: false, now: at(0))
        layout(Size(width: 4, height: 3))
        #expect(box.mode == .fill)
        #expect(picture == Rect(x: 0, y: -60, width: 640, height: 480))
        #expect(box.pixelSize == PixelSize(width: 640, height: 480))
        #expect(box.layer.clipsToBounds)
        layout(Size(width: 2.35, height: 1))
        #expect(picture == Rect(x: -103, y: 0, width: 846, height: 360))
        #expect(!box.isMoving)
    }

    @Test("A video with the box's aspect ratio looks the same in both modes")
    func sameShape() {
        layout(Size(width: 1920, height: 1080))
        let fitted = picture
        box.setMode(.fill, isAnimated: false, now: at(0))
        layout(Size(width: 1920, height: 1080))
        #expect(picture == fitted && box.pixelSize == PixelSize(width: 640, height: 360))
    }

    @Test(
        "Changing the mode is animated for a quarter of a second, and the frame is converted once, for the final size")
    func animation() {
        layout(Size(width: 4, height: 3))
        box.setMode(.fill, now: at(1000))
        #expect(box.mode == .fill && box.isMoving)
        var last = picture.size.width
        for time in stride(from: 1000, through: 1240, by: 20) {
            #expect(box.advance(to: at(time)))
            layout(Size(width: 4, height: 3))
            #expect(picture.size.width >= last)
            #expect(box.pixelSize == PixelSize(width: 640, height: 480))
            if time == 1120 { #expect(picture.size.width > 500 && picture.size.width < 600) }
            last = picture.size.width
        }
        #expect(last > 600)
        #expect(!box.advance(to: at(1250)))
        layout(Size(width: 4, height: 3))
        #expect(picture == Rect(x: 0, y: -60, width: 640, height: 480))
    }

    @Test("Reversed midway, the change of mode goes back from the current size")
    func rotated() {
        layout(Size(width: 4, height: 3))
        box.setMode(.fill, now: at(0))
        box.advance(to: at(125))
        layout(Size(width: 4, height: 3))
        let middle = picture
        box.setMode(.fit, now: at(125))
        box.advance(to: at(125))
        layout(Size(width: 4, height: 3))
        #expect(picture == middle)
        #expect(box.pixelSize == PixelSize(width: 480, height: 360))
        box.advance(to: at(400))
        layout(Size(width: 4, height: 3))
        #expect(picture == Rect(x: 80, y: 0, width: 480, height: 360))
        #expect(!box.isMoving && !box.layer.clipsToBounds)
    }

    @Test(
        "At a whole quarter turn, the video covers the pixels that it covers in a box that is rotated as a whole",
        arguments: [VideoBox.Mode.fit, .fill], [1, 1.25, 2])
    func wholeTurn(mode: VideoBox.Mode, scale: Double) throws {
        box.setMode(mode, isAnimated: false, now: at(0))
        func placement(_ size: Size, isRotated: Bool) throws -> SurfacePlacement {
            var list = DisplayList(
                viewport: PixelSize(width: Int(size.width * scale), height: Int(size.height * scale)))
            box.show(.surface(SurfaceID(rawValue: 1), rotation: .none))
            box.layer.flatten(scale: scale, into: &list)
            if isRotated { list.rotateClockwise() }
            for case .surface(let placement) in list.items { return placement }
            throw SteppedProgram.Failure(description: "no video")
        }
        for aspect in [Size(width: 9, height: 16), Size(width: 180, height: 331), Size(width: 1, height: 2.35)] {
            let (window, rotated) = (Size(width: 640, height: 360), Size(width: 360, height: 640))
            box.layout(Rect(origin: .zero, size: window), aspect: aspect, quarterTurns: 1, scale: scale)
            let (before, prepared) = (try placement(window, isRotated: false), box.pixelSize)
            box.layout(Rect(origin: .zero, size: rotated), aspect: aspect, scale: scale)
            let after = try placement(rotated, isRotated: true)
            #expect(prepared == box.pixelSize && before.quarterTurns == 1)
            #expect(after.quarterTurns == 0 && after.rotation == .quarter)
            let (whole, rotatedWhole) = (before.destination, after.destination)
            #expect(whole.size.rotated(by: .quarter) == rotatedWhole.size)
            #expect(whole.minX + whole.maxX == rotatedWhole.minX + rotatedWhole.maxX, "it rotates about its middle")
            #expect(whole.minY + whole.maxY == rotatedWhole.minY + rotatedWhole.maxY)
        }
    }

    @Test("Setting the same mode again changes nothing")
    func again() {
        box.setMode(.fit, now: at(0))
        #expect(!box.isMoving)
        box.setMode(.fill, now: at(0))
        box.advance(to: at(200))
        box.setMode(.fill, now: at(200))
        #expect(!box.advance(to: at(250)))
    }

    @Test("A filling video of another aspect ratio is drawn all over its box and nowhere else")
    func drawn() throws {
        let program = try SteppedProgram(
            size: PixelSize(width: 640, height: 360), playing: SteppedProgram.sample, isPaused: true)
        try program.run("the first frame") { $0.application.playing?.film.shownTime != nil }
        let film = try #require(program.application.playing?.film)
        let page = try #require(program.application.playerPage)
        let cover = Layer(frame: Rect(x: 0, y: 0, width: 640, height: 360), content: .color(.black))
        page.layer.add(cover)
        cover.add(box.layer)
        // 16:9 in a square: the whole width of the box, and what is above and below it.
        let place = Rect(x: 100, y: 60, width: 200, height: 200)
        let (inside, above) = (Rect(x: 100, y: 62, width: 200, height: 20), Rect(x: 100, y: 0, width: 200, height: 60))
        let beside = Rect(x: 0, y: 0, width: 100, height: 360)
        for mode in [VideoBox.Mode.fit, .fill] {
            box.setMode(mode, isAnimated: false, now: at(0))
            box.layout(place, aspect: film.displaySize, scale: 1)
            box.show(film.content)
            program.draw()
            #expect(try (program.brightest(in: inside) > 0) == (mode == .fill))
            #expect(try program.brightest(in: above) == 0)
            #expect(try program.brightest(in: beside) == 0)
        }
    }

    @Test("An extremely narrow video is enlarged at most four times")
    func line() {
        box.setMode(.fill, isAnimated: false, now: at(0))
        for aspect in [Size(width: 10000, height: 1), Size(width: 1, height: 10000)] {
            layout(aspect)
            #expect(box.pixelSize.width <= 4 * 640 && box.pixelSize.height <= 4 * 360)
            #expect(!box.pixelSize.isEmpty)
        }
    }

    @Test("An empty video and an empty box draw nothing", arguments: [VideoBox.Mode.fit, .fill])
    func nothing(mode: VideoBox.Mode) {
        box.setMode(mode, isAnimated: false, now: at(0))
        layout(nil)
        #expect(box.pixelSize.isEmpty)
        box.layout(.zero, aspect: Size(width: 4, height: 3), scale: 1)
        #expect(box.pixelSize == PixelSize(width: 1, height: 1))
    }

    @Test("The video lies on whole device pixels at every scale", arguments: [1, 1.25, 1.5, 2])
    func wholePixels(scale: Double) {
        box.setMode(.fill, now: at(0))
        for time in stride(from: 0, through: 260, by: 13) {
            box.advance(to: at(time))
            layout(Size(width: 1.85, height: 1), scale: scale)
            for edge in [picture.minX, picture.minY, picture.maxX, picture.maxY] {
                #expect(abs(edge * scale - (edge * scale).rounded()) < 1e-9)
            }
        }
    }
}
