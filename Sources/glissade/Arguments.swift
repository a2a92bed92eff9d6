import App
import ArgumentParser
import Geometry
import Media

struct WindowArguments: ParsableArguments {
    enum Renderer: String, ExpressibleByArgument, CaseIterable { case auto, gles, software }

    @Option(help: ArgumentHelp("The window's content, in points.", valueName: "WxH"), transform: parseSize)
    var size: Size?
    @Option(help: ArgumentHelp("Where the window goes.", valueName: "X,Y"), transform: parsePoint)
    var position: Point?
    @Flag(help: "No frame around the window.") var borderless = false
    @Flag(help: "Fill the screen.") var fullscreen = false
    @Flag(help: "Keep the window above others.") var ontop = false
    @Flag(help: "No window: draw on an offscreen surface.") var offscreen = false
    @Option(
        help: """
            What draws: auto, OpenGL where there is a GPU and the processor where there is none; gles, OpenGL in any case; \
            software, the processor. (default: auto, or as in the settings)
            """)
    var renderer: Renderer?
    @Flag(help: "Never show the overlay controls by themselves.") var noControls = false

    func apply(to options: inout LaunchOptions) {
        options.size = size
        options.position = position
        options.isBorderless = borderless
        options.isFullscreen = fullscreen
        options.isOnTop = ontop
        options.isOffscreen = offscreen
        options.renderer = renderer.flatMap { LaunchOptions.RendererChoice(rawValue: $0.rawValue) }
        options.showsControls = !noControls
    }
}

struct FloatingArguments: ParsableArguments {
    enum Kind: String, ExpressibleByArgument, CaseIterable { case clock, lines }

    @Option(
        name: .customLong("float"),
        help: "Float a clock, or the lines of the subtitles, in a window of its own. Repeatable.")
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

    @Option(help: ArgumentHelp("Begin here: seconds, M:S or H:M:S.", valueName: "time"), transform: parseTime)
    var start: Duration?
    @Option(help: ArgumentHelp("End the program after so much wall time.", valueName: "seconds"), transform: parseTime)
    var duration: Duration?
    @Flag(help: "Begin paused.") var paused = false
    @Flag(help: "Begin again at the end, for ever.") var loop = false
    @Option(help: "Where sound goes: to the sound server, into timed silence, or undecoded nowhere.")
    var audio = Audio.auto
    @Option(help: ArgumentHelp("0 to 130; 100 is the media's own level.", valueName: "percent"))
    var volume: Double?
    @Flag(help: "Begin without sound.") var mute = false
    @Flag(help: "Do not read the settings file.") var noConfig = false
    @Flag(help: "Neither remember what is played nor go on where it was left.") var noHistory = false
    @Option(help: ArgumentHelp("Media seconds a second, 0.1 to 8.", valueName: "factor")) var speed: Double?
    @Option(
        help: ArgumentHelp(
            """
            Decode pictures by hardware: auto, where it is there and of use; no; or on one of: \
            \(HardwareDevice.built.map(\.name).joined(separator: ", ")). Where it fails, software goes on. \
            (default: no, or as in the settings)
            """, valueName: "auto|no|name"), transform: parseHardware)
    var hwdec: HardwareDecoding?

    func validate() throws {
        if let volume, !(0...130).contains(volume) {
            throw ValidationError("--volume is 0 to 130, not \(volume)")
        }
        if let speed, !(0.1...8).contains(speed) { throw ValidationError("--speed is 0.1 to 8, not \(speed)") }
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
        options.hardware = hwdec
        options.ignoresSettings = noConfig
        options.keepsNoHistory = noHistory
    }
}

struct OutputArguments: ParsableArguments {
    @Option(
        help: ArgumentHelp("Write the window as it looks at that media time. Repeatable.", valueName: "time=file.png"),
        transform: parseScreenshot)
    var screenshot: [LaunchOptions.Screenshot] = []
    @Option(help: ArgumentHelp("Write the frame log's summary as JSON at the end.", valueName: "file.json"))
    var report: String?
    @Option(help: ArgumentHelp("Write when each frame was seen, as CSV, at the end.", valueName: "file.csv"))
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
    else { throw ValidationError("a size is WIDTHxHEIGHT, each 1 to 16384") }
    return Size(width: Double(width), height: Double(height))
}

/// Of a window's place, either way.
private let farthest = -100_000...100_000

@Sendable private func parsePoint(_ text: String) throws -> Point {
    let numbers = text.split(separator: ",", omittingEmptySubsequences: false).map { Int($0) }
    guard numbers.count == 2, let x = numbers[0], let y = numbers[1], farthest.contains(x), farthest.contains(y)
    else { throw ValidationError("a position is X,Y") }
    return Point(x: Double(x), y: Double(y))
}

/// Seconds, or minutes and seconds, or hours, minutes and seconds; the last may have decimals.
@Sendable private func parseTime(_ text: String) throws -> Duration {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    var seconds = 0.0
    for (index, part) in parts.enumerated() {
        guard let value = Double(part), value.isFinite, value >= 0, parts.count <= 3,
            index == parts.count - 1 || value == value.rounded(), index == 0 || value < 60
        else { throw ValidationError("a time is seconds, M:S or H:M:S") }
        seconds = seconds * 60 + value
    }
    guard seconds < 1e9 else { throw ValidationError("time is too large") }
    return .nanoseconds(Int64(clampingNanoseconds: seconds))
}

@Sendable private func parseHardware(_ text: String) throws -> HardwareDecoding {
    guard let hardware = HardwareDecoding(name: text) else {
        let names = HardwareDecoding.names.joined(separator: ", ")
        throw ValidationError("there is no '\(text)' to decode by, but: \(names)")
    }
    return hardware
}

@Sendable private func parseScreenshot(_ text: String) throws -> LaunchOptions.Screenshot {
    guard let equals = text.firstIndex(of: "="), text.index(after: equals) < text.endIndex else {
        throw ValidationError("a screenshot is TIME=FILE.png")
    }
    return LaunchOptions.Screenshot(
        time: try parseTime(String(text[..<equals])), path: String(text[text.index(after: equals)...]))
}
