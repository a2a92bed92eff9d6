import GlissadeControls
import GlissadeGeometry
import GlissadeLayers
import Testing
import GlissadeTime

@testable import GlissadeApp

/// Where the controls are on pages of all sizes.
@Suite("Controls layout")
@MainActor struct ControlsLayoutTests {
    nonisolated static let sizes: [Size] = [
        Size(width: 160, height: 240), Size(width: 240, height: 320), Size(width: 320, height: 240),
        Size(width: 357, height: 480), Size(width: 400, height: 300), Size(width: 480, height: 800),
        Size(width: 559, height: 400), Size(width: 590, height: 400), Size(width: 640, height: 360),
        Size(width: 1280, height: 720),
        Size(width: 3840, height: 2160),
    ]

    /// The controls on a page of a file with or without comments, and the frames of those that are shown.
    private func controls(
        _ size: Size, bottom: Double = 0, hasComments: Bool = false
    ) -> (PlayerControls, [Rect]) {
        let controls = PlayerControls()
        var status = PlayerStatus()
        status.hasComments = hasComments
        controls.show(status, now: HostTime(nanoseconds: 0))
        controls.layer.isHidden = false
        controls.layout(size: size, bottom: bottom, scale: 1)
        let parts = controls.focusables.map(\.focusLayer).filter { !$0.isHidden }
        return (controls, parts.map(\.frame))
    }

    @Test("Controls lie within the page and do not overlap", arguments: sizes, [false, true])
    func apart(size: Size, hasComments: Bool) {
        let (_, frames) = controls(size, hasComments: hasComments)
        for (number, frame) in frames.enumerated() {
            #expect(frame.minX >= 0 && frame.maxX <= size.width && frame.minY >= 0 && frame.maxY <= size.height)
            for other in frames[(number + 1)...] {
                #expect(
                    frame.maxX <= other.minX || other.maxX <= frame.minX || frame.maxY <= other.minY
                        || other.maxY <= frame.minY, "\(frame) and \(other)")
            }
        }
    }

    @Test(
        "Play, fullscreen and the progress bar fit on any page, and all controls from 540 points on, 590 with comments",
        arguments: [false, true])
    func kept(hasComments: Bool) {
        for size in Self.sizes {
            let (controls, frames) = controls(size, hasComments: hasComments)
            #expect(!controls.play.layer.isHidden && !controls.fullscreen.layer.isHidden)
            #expect(!controls.progress.layer.isHidden && controls.progress.layer.frame.size.width > 0)
            let most = controls.focusables.count - (hasComments ? 0 : 1)
            if size.width >= (hasComments ? 590 : 540) { #expect(frames.count == most) }
        }
    }

    @Test("The controls stay above what covers the page's lower edge")
    func covered() {
        let (_, frames) = controls(Size(width: 640, height: 480), bottom: 90)
        #expect(frames.allSatisfy { $0.maxY <= 390 })
    }

    @Test("A small page that is locked and unlocked hides the same controls as before")
    func unlocked() {
        let (controls, before) = controls(Size(width: 320, height: 240))
        controls.setLocked(true, now: HostTime(nanoseconds: 0))
        #expect(controls.focusables.filter { !$0.focusLayer.isHidden }.map { $0 === controls.lock } == [true])
        controls.setLocked(false, now: HostTime(nanoseconds: 0))
        let parts = controls.focusables.map(\.focusLayer).filter { !$0.isHidden }
        #expect(parts.map(\.frame) == before)
    }

    @Test("The lock button of a locked page stays visible, however small the page gets")
    func lockedAndSmall() {
        let (controls, _) = controls(Size(width: 640, height: 480))
        controls.setLocked(true, now: HostTime(nanoseconds: 0))
        controls.layout(size: Size(width: 160, height: 240), bottom: 0, scale: 1)
        let shown = controls.focusables.filter { !$0.focusLayer.isHidden }
        #expect(shown.map { $0 === controls.lock } == [true])
        let frame = controls.lock.layer.frame
        #expect(frame.minX >= 0 && frame.maxX <= 160)
    }

    @Test("The lock button of a locked page is on a disc, as the shade behind the controls is hidden")
    func lockedOnDisc() {
        let (controls, _) = controls(Size(width: 640, height: 480))
        func visibleDiscs() -> [Rect] {
            controls.layer.sublayers.filter { !$0.isHidden && $0.content == .color(Theme.disc) }.map(\.frame)
        }
        #expect(!visibleDiscs().contains(controls.lock.layer.frame))
        controls.setLocked(true, now: HostTime(nanoseconds: 0))
        #expect(visibleDiscs() == [controls.lock.layer.frame])
    }

    @Test("The time at the right is the remaining time, and the total length after a click")
    func times() throws {
        let program = try SteppedProgram.film(Films.plain())
        try program.showControls()
        #expect(program.texts.contains("-1:00") || program.texts.contains("−1:00"))
        program.click(program.place(of: try program.controls.remaining.layer))
        program.draw()
        #expect(program.texts.contains("1:00"))
    }

    @Test("The volume slider follows the pointer, and dragging it unmutes")
    func volume() throws {
        let program = try SteppedProgram.film()
        program.type("m")
        try program.showControls()
        let frame = try program.controls.volume.layer.frame
        let middle = frame.minY + frame.size.height / 2
        program.drag(
            from: Point(x: frame.minX + 2, y: middle), to: Point(x: frame.minX + frame.size.width / 2, y: middle))
        #expect(try abs(program.player.volume - 0.65) < 0.05 && !program.player.isMuted)
        #expect(!program.application.stack.isTransitioning, "and the page is not drawn aside")
        program.drag(from: Point(x: frame.maxX - 2, y: middle), to: Point(x: 5000, y: middle))
        #expect(try program.player.volume == 1.3)
    }
}
