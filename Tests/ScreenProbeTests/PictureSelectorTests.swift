import Testing
import GlissadeTime
import GlissadeScreenProbe

@Suite("Choosing the playing picture") struct PictureSelectorTests {
    private func picture(_ number: Int?, width: Double) -> PictureTracker.Picture {
        PictureTracker.Picture(number: number, columns: 0...width, rows: 0..<90, pixel: (5, 45))
    }
    private func at(_ milliseconds: Int64) -> HostTime { HostTime(nanoseconds: milliseconds * 1_000_000) }

    @Test("A still image of the video that is larger than the video itself is skipped")
    func still() {
        var selector = PictureSelector(filmLength: 2400)
        #expect(selector.pick([picture(600, width: 1280)], at: at(0))?.number == 600)
        let both = [picture(240, width: 1280), picture(601, width: 320)]
        #expect(selector.pick(both, at: at(16))?.number == 601)
        #expect(selector.pick([both[0]], at: at(33)) == nil, "the film is not to be seen")
        let unread = selector.pick([both[0], picture(nil, width: 320)], at: at(50))
        #expect(unread?.width == 320 && unread?.number == nil)
        #expect(selector.pick([both[0], picture(604, width: 320)], at: at(66))?.number == 604)
    }

    @Test("After a seek the new position is accepted after a while")
    func sought() {
        var selector = PictureSelector(filmLength: 2400)
        _ = selector.pick([picture(600, width: 1280)], at: at(0))
        #expect(selector.pick([picture(1800, width: 1280)], at: at(16)) == nil)
        #expect(selector.pick([picture(1858, width: 1280)], at: at(1000)) == nil)
        #expect(selector.pick([picture(1860, width: 1280)], at: at(1016))?.number == 1860)
        #expect(selector.pick([picture(1861, width: 1280)], at: at(1033))?.number == 1861)
    }

    @Test("Of two candidates the larger one is chosen, also when the video restarts")
    func larger() {
        var selector = PictureSelector(filmLength: 100)
        let pictures = [picture(99, width: 640), picture(98, width: 320)]
        #expect(selector.pick(pictures, at: at(0))?.number == 99)
        #expect(selector.pick([picture(0, width: 640), picture(99, width: 320)], at: at(16))?.number == 0)
        #expect(selector.pick([picture(99, width: 640)], at: at(33))?.number == 99)
    }

    @Test("A cut-off picture counts as the next frame that matches it, or as none")
    func cut() throws {
        func cuts(_ number: Int) -> [(code: MarkedCode.Cut, row: Int)] {
            let screen = PaintedScreen(height: 200)
            screen.paint(number, left: 1300, top: 0, width: 1280, height: 200)
            var tracker = PictureTracker()
            _ = tracker.look(at: screen, drawn: [screen.whole])
            return tracker.cuts
        }
        var selector = PictureSelector(filmLength: 2400)
        #expect(selector.pick(cuts(601))?.number == nil, "nothing has been seen before")
        _ = selector.pick([picture(600, width: 1280)], at: at(0))
        #expect(selector.pick(cuts(601))?.number == 601)
        #expect(selector.pick(cuts(601))?.number == 601)
        #expect(selector.pick(cuts(604))?.number == 604)
        #expect(selector.pick([])?.number == nil)
    }

    @Test("An empty screen gives nothing, and marks without a number are returned as such")
    func nothing() {
        var selector = PictureSelector(filmLength: nil)
        #expect(selector.pick([], at: at(0)) == nil)
        #expect(selector.pick([picture(nil, width: 640)], at: at(0))?.width == 640)
    }
}
