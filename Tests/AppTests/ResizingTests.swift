import Foundation
import Host
import Motion
import Playback
import Rendering
import Stage
import Testing
import Windowing

@testable import App

/// The picture of a paused player whose window changes its size.
@MainActor struct ResizingTests {
    @Test("a picture that was still on its way for one size is fetched once more for the next")
    func quickly() throws {
        let stage = try PausedStage(size: PixelSize(width: 640, height: 360))
        guard stage.device.isSoftware, stage.device.hasBGRA else { return }  // A GPU scales the planes themselves.
        try stage.run("the first frame") { $0.pictureSize?.width == 640 }

        stage.resize(to: PixelSize(width: 320, height: 180))
        stage.draw()
        try stage.advance("the frame for 320×180 waits to be shown") { $0.application.nextFrameDue != nil }
        stage.resize(to: PixelSize(width: 480, height: 270))
        try stage.run("the frame for 480×270") { $0.pictureSize == PixelSize(width: 480, height: 270) }
    }
}

/// The program without its loop: a test says when it draws.
@MainActor private final class PausedStage {
    struct Failure: Error, CustomStringConvertible { let description: String }

    let application: Application
    let device: GLDevice
    private let surface: OffscreenSurface
    private let signal = WakeSignal()
    private var list = DisplayList(viewport: PixelSize(width: 0, height: 0))

    init(size: PixelSize) throws {
        let clip = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appendingPathComponent("Media/sample.mp4").path
        surface = try OffscreenSurface(size: size)
        device = try GLDevice()
        var options = LaunchOptions()
        options.player.isPaused = true
        options.player.sound = .none
        let wake: @Sendable () -> Void = { [signal] in signal.raise() }
        let player = Player(location: clip, options: options.player, wake: wake) { _ in }
        let log = FrameLog()
        let playing = NowPlaying(
            player: player, playlist: [], options: options.player, device: device, log: log, console: Console(),
            wake: wake)
        application = Application(
            options: options, playing: playing, folder: LibraryFolder.path(for: clip),
            surface: OffscreenLoopSurface(surface, signal: signal), window: nil,
            compositor: Compositor(device: device), log: log, console: Console(), wake: wake)
    }

    /// The size of the picture that the layer draws from.
    var pictureSize: PixelSize? { application.texture(for: NowPlaying.surface)?.format?.size }

    func resize(to size: PixelSize) {
        #expect(throws: Never.self) { try surface.resize(to: size) }
        application.handle(.resized(size), now: .now())
    }

    func draw() {
        list.viewport = surface.pixelSize
        let now = HostTime.now()
        application.compose(&list, scale: 1, visibleAt: now, framesBy: now)
        application.didPresent(at: now)
    }

    /// Lets it go on, without drawing, until `isDone`.
    func advance(_ what: String, until isDone: (PausedStage) -> Bool) throws {
        try go(what, draws: false, isDone)
    }

    /// Lets it go on, and draws as the frame loop would, until `isDone`.
    func run(_ what: String, until isDone: (PausedStage) -> Bool) throws { try go(what, draws: true, isDone) }

    private func go(_ what: String, draws: Bool, _ isDone: (PausedStage) -> Bool) throws {
        let end = HostTime.now() + .seconds(20)
        while true {
            application.advance(to: .now())
            if isDone(self) { return }
            if draws, application.needsRedraw || application.nextFrameDue != nil {
                draw()
                continue
            }
            guard HostTime.now() < end else { throw Failure(description: "it never came: \(what)") }
            signal.wait(until: min(end, application.nextWake(now: .now()) ?? end))
        }
    }
}
