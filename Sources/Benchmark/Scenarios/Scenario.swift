import GlissadeApp
import GlissadeSettings

/// A benchmark scenario: what the simulated user does while frames are measured.
package enum Scenario: String, Sendable, CaseIterable {
    /// Plays at normal speed, without input.
    case rest
    /// Decodes, uploads, draws and swaps every frame as fast as possible, without audio.
    case throughput
    /// Drags the page back and forth without releasing it.
    case drag
    /// Repeatedly throws the page away and brings it back, then drags it too little to dismiss it. The page springs
    /// back.
    case throwing = "throw"
    /// Repeatedly pulls in the page on the right and throws it out again.
    case push
    /// Drags the progress bar back and forth and releases it, five times. Then plays to the end.
    case scrub
    /// Repeatedly enters and leaves fullscreen.
    case fullscreen
    /// Repeatedly enters and leaves picture-in-picture.
    case float
    /// Repeatedly scrolls the cards of the file's folder down and up. The most visible card plays.
    case list

    /// Whether the scenario uses the player's controls, which otherwise stay hidden.
    private var needsControls: Bool { self == .scrub }
    /// Whether the scenario needs a window and therefore cannot run offscreen.
    var needsWindow: Bool { self == .fullscreen || self == .float }

    /// Changes the options as this scenario requires.
    ///
    /// Every run uses the default settings, except that `list` shows cards. A run does not switch to another renderer,
    /// and does not depend on earlier runs. It ends at the end of its media or after its duration, whichever comes
    /// first. A `list` run, however, ends only after its duration.
    func apply(to options: inout LaunchOptions) {
        var settings = Settings()
        if self == .list { settings.library.view = .cards }
        options.fixedSettings = settings
        options.isEphemeral = true
        options.keepsRenderer = true
        options.exitsAtEnd = true
        options.showsControls = options.showsControls && needsControls
        switch self {
        case .list:
            options.startsInLibrary = true
            // One card plays after another, so only the duration ends the run.
            options.duration = options.duration ?? .seconds(20)
        case .throughput:
            options.player.isUntimed = true
            options.player.audio = .none
        case .rest, .drag, .throwing, .push, .scrub, .fullscreen, .float: break
        }
    }
}
