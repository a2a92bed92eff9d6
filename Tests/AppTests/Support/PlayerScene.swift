import GlissadeControls
import Foundation
import GlissadeGeometry
import GlissadeGestures
import GlissadeLayers
import GlissadePlatform
import GlissadePlayback
import Testing
import GlissadeTime

@testable import GlissadeApp

// What tests of the player's page ask of it, and do on it.

extension SteppedProgram {
    /// A program that shows the first picture of a film.
    static func film(
        _ location: String? = nil, isPaused: Bool = true, list: [String]? = nil, folder: String? = nil,
        history: String? = nil, settings: String? = nil, asked: LaunchOverrides = LaunchOverrides(),
        audio: PlayerOptions.Audio = .silent
    ) throws -> SteppedProgram {
        let location = try location ?? Films.everything()
        let program = try SteppedProgram(
            playing: location, folder: folder, isPaused: isPaused, list: list, history: history, settings: settings,
            asked: asked, audio: audio)
        try program.run("the first picture") { $0.showsPicture }
        return program
    }

    var showsPicture: Bool { application.playing?.film.shownTime != nil }

    var page: PlayerPage {
        get throws { try #require(application.playerPage) }
    }

    var player: Player {
        get throws { try #require(application.playing?.player) }
    }

    var controls: PlayerControls {
        get throws { try page.controls }
    }

    var position: Duration {
        get throws { try player.position(at: now) }
    }

    /// Whether the film is at a place, as nearly as its frames allow, and its sound, which begins before the picture.
    func isAt(_ seconds: Double) throws -> Bool { try abs(position.inSeconds - seconds) < 0.2 }

    /// What the picture on show is of, from the film's beginning.
    var shown: Duration? {
        guard let playing = application.playing, let time = playing.film.shownTime, let info = playing.player.info
        else { return nil }
        return time - info.startTime
    }

    /// The middle of a control of the page.
    func place(of layer: Layer) -> Point {
        Point(x: layer.frame.minX + layer.frame.size.width / 2, y: layer.frame.minY + layer.frame.size.height / 2)
    }

    /// Where on the progress bar a share of the length is.
    func place(onBar fraction: Double) throws -> Point {
        let bar = try controls.progress.layer.frame
        return Point(x: bar.minX + fraction * bar.size.width, y: bar.minY + bar.size.height / 2)
    }

    /// Has the controls come, by the pointer.
    func showControls() throws {
        move(to: Point(x: 300, y: 100))
        move(to: Point(x: 301, y: 101))
        try run("the controls") { try $0.page.areControlsShown && $0.controls.progress.isEnabled && $0.texts.count > 2 }
    }

    /// What the short message over the picture says.
    var told: String? { application.playerPage?.told }

    /// Waits until the message over the picture begins so.
    func expectToast(_ text: String) throws {
        try run("the message “\(text)”") { $0.told?.hasPrefix(text) == true }
    }
}
