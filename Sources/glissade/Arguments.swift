import GlissadeApp
import ArgumentParser
import GlissadeGeometry
import GlissadeMedia
import GlissadeSettings

struct WindowArguments: ParsableArguments {
    enum Renderer: String, ExpressibleByArgument, CaseIterable { case auto, gles, software }

    @Option(
        help: ArgumentHelp("Window size in points, without title bar and borders.", valueName: "WxH"),
        transform: parseSize)
    var size: Size?
    @Option(help: ArgumentHelp("Window position on the screen, in pixels.", valueName: "X,Y"), transform: parsePoint)
    var position: Point?
    @Flag(help: "Hide the title bar and borders.") var borderless = false
    @Flag(help: "Start in fullscreen.") var fullscreen = false
    @Flag(help: "Keep the window above other windows.") var ontop = false
    @Flag(help: "Render without a window.") var offscreen = false
    @Option(
        help: """
            auto: OpenGL ES with a GPU, software rendering without one. gles: always OpenGL ES. software: always software \
            rendering. (default: interface.renderer in the settings)
            """)
    var renderer: Renderer?
    @Flag(help: "Do not show the controls when the pointer moves.") var noControls = false
    @Flag(help: "Pace frames by the simulated refreshes of a virtual display. For measurements.")
    var trustRefreshes = false

    func apply(to options: inout LaunchOptions) {
        options.size = size
        options.position = position
        options.isBorderless = borderless
        options.isFullscreen = fullscreen
        options.isOnTop = ontop
        options.isOffscreen = offscreen
        options.renderer = renderer.flatMap { LaunchOptions.RendererChoice(rawValue: $0.rawValue) }
        options.showsControls = !noControls
        options.trustsRefreshes = trustRefreshes
    }
}

struct FloatingArguments: ParsableArguments {
    enum Kind: String, ExpressibleByArgument, CaseIterable { case clock, lines }

    @Option(
        name: .customLong("float"),
        help: "Show a clock or the subtitle lines in a floating window. Repeatable.")
    var kinds: [Kind] = []

    func apply(to options: inout LaunchOptions) {
        for kind in kinds where !options.floats.contains(kind.float) { options.floats.append(kind.float) }
    }
}

extension FloatingArguments.Kind {
    fileprivate var float: LaunchOptions.Float {
        switch self {
        case .clock: .clock
        case .lines: .lines
        }
    }
}

struct PlayingArguments: ParsableArguments {
    enum Audio: String, ExpressibleByArgument, CaseIterable { case auto, pulse, silent, none }

    @Option(help: ArgumentHelp("Start position: seconds, M:S or H:M:S.", valueName: "time"), transform: parseTime)
    var start: Duration?
    @Option(
        help: ArgumentHelp("Quit after this much real time: seconds, M:S or H:M:S.", valueName: "time"),
        transform: parseTime)
    var duration: Duration?
    @Flag(help: "Start paused.") var paused = false
    @Flag(help: "Loop the file.") var loop = false
    @Option(
        help: """
            auto, pulse: play through the sound server. silent: discard the audio, but keep its timing. none: do not decode \
            audio.
            """)
    var audio = Audio.auto
    @Option(help: ArgumentHelp("Initial volume, 0 to 130; 100 is the file's own level.", valueName: "percent"))
    var volume: Double?
    @Flag(help: "Start muted.") var mute = false
    @Flag(help: "Do not read the settings file.") var noConfig = false
    @Flag(help: "Do not record what is played, and do not resume.") var noHistory = false
    @Option(help: ArgumentHelp("Show moving comments from a file in Bilibili's XML format.", valueName: "file"))
    var comments: String?
    @Option(help: ArgumentHelp("Initial playback speed, 0.1 to 8.", valueName: "factor")) var speed: Double?
    @Option(
        help: ArgumentHelp(
            """
            Hardware video decoding: auto, no, or a device: \
            \(HardwareDevice.built.map(\.name).joined(separator: ", ")). Falls back to software decoding if that fails. \
            (default: playback.hwdec in the settings)
            """, valueName: "auto|no|name"), transform: parseHardware)
    var hwdec: HardwareDecoding?

    func validate() throws {
        if let volume, !(0...130).contains(volume) {
            throw ValidationError("--volume must be from 0 to 130, not \(plain(volume))")
        }
        if let speed, !(0.1...8).contains(speed) {
            throw ValidationError("--speed must be from 0.1 to 8, not \(plain(speed))")
        }
    }

    func apply(to options: inout LaunchOptions) {
        options.player.start = start
        options.duration = duration
        options.player.isPaused = paused
        options.player.isLooping = loop
        options.player.audio =
            switch audio {
            case .auto, .pulse: .server
            case .silent: .silent
            case .none: .none
            }
        options.volume = volume.map { $0 / 100 }
        options.isMuted = mute ? true : nil
        options.speed = speed
        options.commentsPath = comments
        options.hardware = hwdec
        options.fixedSettings = noConfig ? Settings() : nil
        options.keepsNoHistory = noHistory
    }
}

struct OutputArguments: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Save an image of the window when playback reaches this time. Repeatable.", valueName: "time=file.png"),
        transform: parseScreenshot)
    var screenshot: [LaunchOptions.Screenshot] = []
    @Option(help: ArgumentHelp("On exit, write a summary of frame timing as JSON.", valueName: "file.json"))
    var report: String?
    @Option(help: ArgumentHelp("On exit, write when each frame was due and shown, as CSV.", valueName: "file.csv"))
    var frameLog: String?

    func apply(to options: inout LaunchOptions) {
        options.screenshots = screenshot
        options.reportPath = report
        options.frameLogPath = frameLog
    }
}

@Sendable private func parseSize(_ text: String) throws -> Size {
    let numbers = text.split(separator: "x", omittingEmptySubsequences: false).map { Int($0) }
    guard numbers.count == 2, let width = numbers[0], let height = numbers[1],
        (1...16384).contains(width), (1...16384).contains(height)
    else { throw ValidationError("size must be WIDTHxHEIGHT, each 1 to 16384") }
    return Size(width: Double(width), height: Double(height))
}

/// Formats a number for a message, without decimals if it is whole.
private func plain(_ number: Double) -> String { Int(exactly: number).map { "\($0)" } ?? "\(number)" }

/// The range of coordinates that `--position` accepts.
private let farthest = -100_000...100_000

@Sendable private func parsePoint(_ text: String) throws -> Point {
    let numbers = text.split(separator: ",", omittingEmptySubsequences: false).map { Int($0) }
    guard numbers.count == 2, let x = numbers[0], let y = numbers[1], farthest.contains(x), farthest.contains(y)
    else { throw ValidationError("position must be X,Y") }
    return Point(x: Double(x), y: Double(y))
}

/// Parses a time given as seconds, M:S or H:M:S. The last number may have decimals.
@Sendable private func parseTime(_ text: String) throws -> Duration {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    var seconds = 0.0
    for (index, part) in parts.enumerated() {
        guard let value = Double(part), value.isFinite, value >= 0, parts.count <= 3,
            index == parts.count - 1 || value == value.rounded(), index == 0 || value < 60
        else { throw ValidationError("time must be seconds, M:S or H:M:S") }
        seconds = seconds * 60 + value
    }
    guard seconds < 1e9 else { throw ValidationError("time is too large") }
    return .nanoseconds(Int64(clampingNanoseconds: seconds))
}

@Sendable private func parseHardware(_ text: String) throws -> HardwareDecoding {
    guard let hardware = HardwareDecoding(name: text) else {
        let names = HardwareDecoding.names.joined(separator: ", ")
        throw ValidationError("unknown device '\(text)' (choose from: \(names))")
    }
    return hardware
}

@Sendable private func parseScreenshot(_ text: String) throws -> LaunchOptions.Screenshot {
    guard let equals = text.firstIndex(of: "="), text.index(after: equals) < text.endIndex else {
        throw ValidationError("screenshot must be TIME=FILE.png")
    }
    return LaunchOptions.Screenshot(
        time: try parseTime(String(text[..<equals])), path: String(text[text.index(after: equals)...]))
}
