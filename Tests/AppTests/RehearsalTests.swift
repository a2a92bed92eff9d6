import Gestures
import Host
import Motion
import Playback
import Stage
import Testing

@testable import App
@testable import Rendering
import Windowing

/// What the way to fullscreen takes is there before the way begins, where the CPU draws.
@MainActor struct RehearsalTests {
    private let size = PixelSize(width: 640, height: 360)

    @Test("once rehearsed, the film's texture has room for the screen, and is drawn as it was")
    func room() throws {
        let program = try SteppedProgram(size: size, playing: SteppedProgram.sample)
        try program.run("the first frame") { $0.filmTime != nil }
        let video = try #require(program.application.playing?.video)
        guard program.device.isSoftware, program.device.hasBGRA else { return }
        let own = video.texture.storageSize
        // A screen that is no larger in one way takes nothing.
        for screen in [Size(width: 320, height: 180), Size(width: 640, height: 900), .zero] {
            video.rehearse(for: screen)
            try program.run("the end") { _ in !video.isRehearsing }
            #expect(video.texture.storageSize == own)
        }
        video.rehearse(for: Size(width: 1280, height: 1000))
        video.endRehearsal()
        try goOn(program)
        #expect(video.texture.storageSize == own)
        video.rehearse(for: Size(width: 1280, height: 1000))
        #expect(video.isRehearsing && video.texture.storageSize == own, "with the next pictures")
        try program.run("the room") { _ in video.texture.storageSize != own }
        #expect(video.texture.storageSize == PixelSize(width: 1280, height: 720))
        try program.run("the end") { _ in !video.isRehearsing }
        program.draw()
        let film = program.list.surfacesExtent
        #expect(film == PixelRect(size: size))
        #expect(try program.brightest(in: Rect(x: 0, y: 0, width: 640, height: 360)) > 100)
    }

    @Test("a hand comes in a frame's time in which nothing was made ready, and nothing is once it has waited for long")
    func quietFrame() throws {
        let surface = try OffscreenSurface(size: PixelSize(width: 16, height: 16))
        let compositor = Compositor(device: try GLDevice())
        // A time to come, so that however slow the machine is, it has not passed.
        let began = HostTime.now() + .seconds(1000)
        var preparation = Preparation()
        preparation.handWaits(now: began)
        preparation.warmUp(compositor, nextFrameDue: nil, isHandWaiting: true)
        let late = began + .milliseconds(151)
        #expect(!preparation.admitsHand(hasPage: false, now: late))
        #expect(preparation.admitsHand(hasPage: false, now: began + .milliseconds(301)), "where no frame comes")
        preparation.frameShown()
        #expect(preparation.admitsHand(hasPage: false, now: late))
        var tired = Preparation()
        tired.handWaits(now: HostTime(nanoseconds: 1))
        tired.warmUp(compositor, nextFrameDue: nil, isHandWaiting: true)
        #expect(tired.admitsHand(hasPage: false, now: .now()))
        tired.warmUp(compositor, nextFrameDue: nil, isHandWaiting: false)
        #expect(tired.isWarmingUp)
        withExtendedLifetime(surface) {}
    }

    @Test("what a hand brings over the film before it can be drawn comes when all is ready, or that takes too long")
    func overlays() throws {
        let surface = try OffscreenSurface(size: PixelSize(width: 16, height: 16))
        let compositor = Compositor(device: try GLDevice())
        let key = InputEvent.key(KeyEvent(key: .space, time: HostTime(nanoseconds: 1)))
        var seen = Preparation()
        seen.note(key, now: .now())
        #expect(!seen.holdsOverlays, "nothing is held where it can be drawn")
        var preparation = Preparation()
        preparation.setCanDraw(false, now: HostTime(nanoseconds: 0))
        preparation.note(key, now: .now())
        #expect(preparation.holdsOverlays && !preparation.isWarmingUp)
        let begun = HostTime.now() + .seconds(1000)
        let late = begun + .milliseconds(501)
        #expect(!preparation.isTimeForOverlays(now: late), "there is nothing to draw with")
        #expect(!preparation.mayPrepare(now: late, firstShown: begun) && !preparation.isReadyForHand)
        #expect(preparation.nextWake(now: begun, firstShown: begun) == nil)
        preparation.setCanDraw(true, now: begun)
        preparation.setCanDraw(true, now: late)
        #expect(preparation.isWarmingUp && !preparation.isReadyForHand)
        #expect(preparation.nextWake(now: begun, firstShown: begun) != nil)
        #expect(!preparation.isTimeForOverlays(now: begun + .milliseconds(500)))
        #expect(preparation.isTimeForOverlays(now: late), "it takes too long")
        while preparation.isWarmingUp { preparation.warmUp(compositor, nextFrameDue: nil, isHandWaiting: false) }
        #expect(preparation.isTimeForOverlays(now: begun) && preparation.isReadyForHand)
        preparation.endHold()
        #expect(!preparation.isTimeForOverlays(now: late), "once")
        withExtendedLifetime(surface) {}
    }

    @Test("until then the film alone is drawn of its page, and a message's time does not run; another page is drawn")
    func held() throws {
        let program = try SteppedProgram(size: size, playing: SteppedProgram.sample)
        try program.run("the first frame") { $0.filmTime != nil }
        let application = program.application
        func items() -> [DisplayList.Item] {
            var list = DisplayList(viewport: size)
            application.compose(&list, scale: 1, visibleAt: .now())
            return list.items
        }
        func isFilm(_ item: DisplayList.Item?) -> Bool { if case .surface = item { true } else { false } }
        _ = application.playerPage?.showControls(now: .now())
        try program.run("the controls") { _ in !isFilm(items().last) }
        let key = InputEvent.key(KeyEvent(key: .character("m"), time: .now()))
        func hold() {
            application.preparation.setCanDraw(false, now: .now())
            application.handle(.input(key), now: .now())
        }
        hold()
        #expect(isFilm(items().last) && application.playerPage?.told == nil)
        application.playerPage?.tell(.film, "another", now: .now())
        application.playerPage?.setHoldsMessages(false, now: .now())
        #expect(application.playerPage?.told == "another")
        application.perform(.showKeys, now: .now())
        try program.run("the keys") { _ in !application.stack.isTransitioning }
        hold()
        #expect(application.stack.top !== application.playerPage && !isFilm(items().last))
        application.stack.pop(animated: false, now: .now())
        #expect(isFilm(items().last))
    }

    @Test("keys that act on what plays are answered before anything can be drawn; others, and on other pages, wait")
    func atOnce() throws {
        let program = try SteppedProgram(size: size, playing: SteppedProgram.sample)
        try program.run("the first frame") { $0.filmTime != nil }
        func answers(_ key: Key, _ modifiers: Modifiers = [], isRepeat: Bool = false) -> Bool {
            program.application.answersAtOnce(
                .key(KeyEvent(key: key, modifiers: modifiers, isRepeat: isRepeat, time: .now())))
        }
        #expect(answers(.space) && answers(.right) && answers(.up, .shift) && answers(.character("m")))
        #expect(answers(.right, isRepeat: true) && answers(.space, isRepeat: true) && answers(.character("q")))
        for other: Key in [.escape, .tab, .enter, .character("f"), .character("o"), .character("i"), .function(7)] {
            #expect(!answers(other), "\(other)")
        }
        let point = PointerEvent(phase: .pressed, position: .zero, button: .primary, time: .now())
        #expect(!program.application.answersAtOnce(.pointer(point)))
        // A control has the keyboard: what a key does is for it to say.
        program.press(.tab)
        #expect(!answers(.space))
        let library = try SteppedProgram(size: size)
        #expect(!library.application.answersAtOnce(.key(KeyEvent(key: .space, time: .now()))))
    }

    /// Three more frames.
    private func goOn(_ program: SteppedProgram) throws {
        for _ in 0..<3 {
            let before = program.filmTime
            try program.run("another frame") { $0.filmTime != before }
        }
    }
}

extension SteppedProgram {
    fileprivate var filmTime: MediaTime? { application.playing?.video.shownTime }
}
