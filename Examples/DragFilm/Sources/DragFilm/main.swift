// Plays a film on a page that can be dragged aside: the page beneath shows through, and the film goes on.

import GlissadeAnimation
import GlissadeFilm
import GlissadeGeometry
import GlissadeGestures
import GlissadeLayers
import GlissadeNavigation
import GlissadePlayback
import GlissadePresentation
import GlissadeRendering
import GlissadeText
import GlissadeTime
import GlissadeWindowing

@MainActor final class Program: FrameLoopClient {
    let window: Window, player: Player, screen: FilmScreen
    let stack = NavigationStack(root: Page(layer: Layer(content: .color(Color(red: 0.2, green: 0.4, blue: 0.5)))))
    let picture = Layer(), arbiter = GestureArbiter()
    var isClosed = false, isDamaged = true

    init(_ path: String, window: Window, renderer: any Renderer, log: FrameLog) throws {
        self.window = window
        var options = PlayerOptions()
        options.pictures = FilmScreen.format(for: renderer.traits)
        player = Player(location: path, options: options, wake: { Window.wake() }, report: { print($0) })
        screen = FilmScreen(player: player, renderer: renderer, surface: SurfaceID(rawValue: 1), log: log, after: nil)
        let text = TextContent("The page beneath", style: TextStyle(size: 24, color: .white))
        stack.pages[0].layer.add(Layer(frame: Rect(x: 40, y: 40, width: 400, height: 40), content: .text(text)))
        let page = Page(layer: Layer(content: .color(.black)))
        page.layer.add(picture)
        stack.layout(window.size)
        try stack.push(page, animated: false, now: .now())
    }

    var film: (any FrameLoopFilm)? { screen }
    var demand: LoopDemand {
        LoopDemand(
            window: WindowDemand(isAnimating: stack.isTransitioning, needsRedraw: isDamaged, showsFilm: true),
            isFinished: isClosed || player.state == .ended)
    }
    func nextWake(now: HostTime) -> HostTime? { .earliest(player.nextWake(now: now), arbiter.nextDeadline) }
    func advance(to now: HostTime) {
        arbiter.advance(to: now)
        player.advance(to: now)
        if case .failed = player.state { isClosed = true }
        screen.refreshIfStill(now: now)
    }
    func videoTarget(for surface: SurfaceID) -> (any VideoTarget)? { surface == screen.surface ? screen.target : nil }
    func didPresent(at time: HostTime) { isDamaged = false }

    func handle(_ event: WindowEvent, now: HostTime) {
        if case .input(let input) = event { arbiter.handle(input) { stack.elements(at: $0, now: now) } }
        if case .closeRequested = event { isClosed = true }
        isDamaged = true
    }

    func layout(scale: Double, visibleAt time: HostTime) {
        _ = stack.advance(to: time)
        stack.layout(window.size)
        let seen = Rect(origin: .zero, size: window.size).fitting(aspect: screen.displaySize ?? window.size)
        (picture.frame, picture.content) = (seen, screen.content)
        screen.place(destination: PixelRect(rounding: seen.scaled(by: scale)).size)
    }

    func compose(_ list: inout DisplayList, scale: Double, visibleAt time: HostTime) {
        stack.layer.flatten(scale: scale, at: LocalTime(time), into: &list)
    }
}

var options = WindowOptions(title: "Drag the film aside", size: Size(width: 640, height: 360))
options.isDrawnByCPU = true
let (window, log) = (try Window(options), FrameLog())
let images = ImageCache(makeRasterizer: TextRasterizer.init, wake: { Window.wake() })
let renderer = SoftwareRenderer(output: window.output ?? SoftwareMemoryOutput(), images: images)
let file = CommandLine.arguments.dropFirst().first ?? "film.mp4"
let program = try Program(file, window: window, renderer: renderer, log: log)
window.show()
try FrameLoop(surface: window, renderer: renderer, client: program, log: log).run()
