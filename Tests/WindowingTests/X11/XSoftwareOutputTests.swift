import Foundation
import GlissadeGeometry
import GlissadePlatform
import GlissadeRendering
import Testing
import GlissadeTestSupport
import GlissadeTime

@testable import GlissadeWindowing

/// Whether servers can be started for tests.
let hasXvfb = access("/usr/bin/Xvfb", X_OK) == 0

/// Frames of the CPU's on real servers, looked at by another client.
@MainActor
@Suite(
    "Software output in an X11 window", .serialized,
    .enabled(if: hasXvfb, "there is no Xvfb"))
struct XSoftwareOutputTests {
    /// A server that has some of what there is, and the way that is left.
    enum Kind: String, CaseIterable, CustomTestStringConvertible {
        case usual, display, withoutRegions, withoutSharedMemory, network, sixteenBits, thirtyBits, thirtyBitsBySocket

        var testDescription: String { rawValue }
        var depth: Int {
            switch self {
            case .sixteenBits: 16
            case .thirtyBits, .thirtyBitsBySocket: 30
            default: 24
            }
        }
        var options: String {
            switch self {
            // Present is always there, and is of no use without them.
            case .withoutRegions: "-nolisten tcp -extension XFIXES"
            case .withoutSharedMemory, .thirtyBitsBySocket: "-nolisten tcp -extension MIT-SHM"
            case .network: "-listen tcp -ac"
            default: "-nolisten tcp"
            }
        }
        var way: XPresentationMethod {
            switch self {
            case .usual, .display, .sixteenBits, .thirtyBits: .present
            case .withoutRegions: .sharedMemory
            case .withoutSharedMemory, .network, .thirtyBitsBySocket: .socket
            }
        }
    }

    /// A server, a window on it, and what shows frames in it.
    @MainActor struct Scene {
        let server: XServer
        let window: ObservedWindow
        let connection: XConnection
        let output: XSoftwareOutput

        init(
            _ kind: Kind = .usual, _ size: PixelSize = PixelSize(width: 200, height: 120), isHidden: Bool = false,
            from first: XPresentationMethod = .present
        ) throws {
            server = try XServer(width: 640, height: 480, depth: kind.depth, options: kind.options)
            let name = kind == .network ? "127.0.0.1\(server.name)" : server.name
            window = try ObservedWindow(server.name, size, isHidden: isHidden)
            connection = try XConnection(name)
            // The count that a virtual server makes up stands for a display's.
            if kind == .display { connection.hasDisplay = true }
            output = try XSoftwareOutput(window: window.id, on: connection, from: first)
        }

        /// Draws a frame by asking `color` for each pixel, and shows it.
        func show(_ size: PixelSize, changed: PixelRect? = nil, _ color: (Int, Int) -> UInt32) throws {
            let buffer = try #require(try output.takeBuffer(size))
            XSoftwareOutputTests.fill(buffer, PixelRect(size: size), color)
            try output.show(buffer, changed: changed)
        }

        func finish() throws {
            #expect(try output.finish(until: .now() + .seconds(20)), "the server does not answer")
            // What has no answer has at least been read.
            window.waitForServer()
        }
    }

    static func fill(_ buffer: FrameBuffer, _ area: PixelRect, _ color: (Int, Int) -> UInt32) {
        for y in area.minY..<area.maxY {
            let row = buffer.memory + y * buffer.stride
            for x in area.minX..<area.maxX { row.storeBytes(of: color(x, y), toByteOffset: x * 4, as: UInt32.self) }
        }
    }

    /// Noise, with a fourth byte that means nothing.
    static func noise(_ x: Int, _ y: Int) -> UInt32 {
        let value = UInt32(truncatingIfNeeded: x &* 7919 &+ y &* 104_729 &+ 13)
        return value &* 2_654_435_761 ^ value >> 7
    }

    static func noise(_ area: PixelRect) -> [UInt32] {
        (area.minY..<area.maxY).flatMap { y in (area.minX..<area.maxX).map { x in noise(x, y) } }
    }

    // MARK: - What is seen

    @Test("A window shows the drawn pixels by the best method of its server", arguments: Kind.allCases)
    func drawn(_ kind: Kind) throws {
        let size = PixelSize(width: 399, height: 301)
        let scene = try Scene(kind, size)
        for _ in 0..<4 { try scene.show(size, Self.noise) }
        try scene.finish()
        #expect(scene.output.methodName == kind.way.rawValue)
        #expect(scene.window.has(Self.noise(PixelRect(size: size)), in: PixelRect(size: size)))
    }

    @Test(
        "Only the damaged part of a frame is updated, for any sequence of frames", arguments: Kind.allCases)
    func part(_ kind: Kind) throws {
        let size = PixelSize(width: 320, height: 240)
        let scene = try Scene(kind, size)
        try scene.show(size) { _, _ in 0x204060 }
        try scene.finish()
        let part = PixelRect(minX: 31, minY: 17, maxX: 302, maxY: 211)
        // Elsewhere it is drawn otherwise, which nobody said.
        for _ in 0..<5 { try scene.show(size, changed: part, Self.noise) }
        try scene.finish()
        #expect(scene.window.has(Self.noise(part), in: part))
        for area in [
            PixelRect(minX: 0, minY: 0, maxX: 320, maxY: 17), PixelRect(minX: 0, minY: 211, maxX: 320, maxY: 240),
            PixelRect(minX: 0, minY: 0, maxX: 31, maxY: 240), PixelRect(minX: 302, minY: 0, maxX: 320, maxY: 240),
        ] {
            #expect(scene.window.has([UInt32](repeating: 0x204060, count: area.width * area.height), in: area))
        }
    }

    @Test("A frame without damage changes nothing and its buffer returns", arguments: Kind.allCases)
    func nothing(_ kind: Kind) throws {
        let size = PixelSize(width: 64, height: 48)
        let scene = try Scene(kind, size)
        try scene.show(size) { _, _ in 0x112233 }
        let empty = PixelRect(minX: 9, minY: 9, maxX: 9, maxY: 9)
        for _ in 0..<6 { try scene.show(size, changed: empty, Self.noise) }
        try scene.finish()
        let all = PixelRect(size: size)
        #expect(scene.window.has([UInt32](repeating: 0x112233, count: 64 * 48), in: all))
    }

    @Test("Content that the window lost is shown again, even without damage", arguments: Kind.allCases)
    func lost(_ kind: Kind) throws {
        let size = PixelSize(width: 64, height: 48)
        let scene = try Scene(kind, size)
        try scene.show(size, Self.noise)
        try scene.finish()
        #expect(!scene.output.isContentLost)
        scene.window.remap()
        let deadline = HostTime.now() + .seconds(20)
        while !scene.output.isContentLost, HostTime.now() < deadline {
            try scene.connection.wait(until: deadline)
        }
        let empty = PixelRect(minX: 0, minY: 0, maxX: 0, maxY: 0)
        try scene.show(size, changed: empty, Self.noise)
        try scene.finish()
        #expect(scene.window.has(Self.noise(PixelRect(size: size)), in: PixelRect(size: size)))
    }

    @Test("Every observer sees complete frames, never an older one after a newer", arguments: Kind.allCases)
    func whole(_ kind: Kind) throws {
        let size = PixelSize(width: 160, height: 100)
        let scene = try Scene(kind, size)
        let all = PixelRect(size: size)
        let (upper, lower) = (
            PixelRect(minX: 0, minY: 0, maxX: 160, maxY: 50), PixelRect(minX: 0, minY: 50, maxX: 160, maxY: 100)
        )
        // Values that each format has one for.
        func color(_ number: Int) -> UInt32 { UInt32(number % 32 * 255 / 31) | UInt32(number / 32 * 8) << 16 }
        let numbers = Dictionary(uniqueKeysWithValues: (0...90).map { (scene.window.pixel(color($0)), $0) })
        var last = 0
        var memories: Set<UnsafeMutableRawPointer> = []
        for number in 1...90 {
            let buffer = try #require(try scene.output.takeBuffer(size))
            memories.insert(buffer.memory)
            Self.fill(buffer, upper) { _, _ in color(number) }
            // Half of the frame is drawn: a display that reads from this memory would show it.
            if number > 1 {
                let seen = Set(try #require(scene.window.pixels(all)).map { $0 & scene.window.mask })
                #expect(seen.count == 1, "frame \(number) is drawn, and \(seen.count) colours are seen")
                let shown = seen.first.flatMap { numbers[$0] } ?? -1
                #expect((last..<number).contains(shown), "frame \(shown) after \(last), before \(number) was shown")
                last = max(last, shown)
            }
            Self.fill(buffer, lower) { _, _ in color(number) }
            try scene.output.show(buffer, changed: nil)
            if number == 1 { try scene.finish() }
        }
        try scene.finish()
        #expect(scene.window.has([UInt32](repeating: color(90), count: 16_000), in: all))
        #expect(memories.count <= XSoftwareOutput.largestCount)
    }

    @Test("A buffer keeps its content until it is handed out again under the same ID", arguments: Kind.allCases)
    func kept(_ kind: Kind) throws {
        let size = PixelSize(width: 50, height: 40)
        let scene = try Scene(kind, size)
        var contents: [Int: UInt32] = [:]
        var hadBefore = 0
        for number in 1...20 {
            let buffer = try #require(try scene.output.takeBuffer(size))
            let first = buffer.memory.load(as: UInt32.self)
            if let content = contents[buffer.id] {
                #expect(first == content)
                hadBefore += 1
            }
            Self.fill(buffer, PixelRect(size: size)) { _, _ in UInt32(number) }
            contents[buffer.id] = UInt32(number)
            try scene.output.show(buffer, changed: nil)
        }
        #expect(hadBefore >= 20 - XSoftwareOutput.largestCount)
        // One that was handed out and not shown has unknown content.
        let unshown = try #require(try scene.output.takeBuffer(size))
        #expect(try scene.output.takeBuffer(size)?.id != unshown.id)
    }

    // MARK: - What the display says

    @Test("The server confirms each frame in order, with increasing counts and times")
    func answers() throws {
        let size = PixelSize(width: 80, height: 60)
        let scene = try Scene(.display, size)
        var answers: [ShownFrame] = []
        for number in 0..<30 {
            try scene.show(size) { _, _ in UInt32(number) }
            try scene.finish()
            answers += scene.output.takeShown()
        }
        #expect(answers.map(\.serial) == (1...30).map { UInt32($0) })
        #expect(answers.last == scene.output.lastShown && scene.output.shownCount == 30)
        #expect(answers.allSatisfy { $0.mode == .copy && $0.time <= .now() })
        #expect(zip(answers, answers.dropFirst()).allSatisfy { $0.refresh < $1.refresh && $0.time < $1.time })
    }

    @Test("Of frames for the same refresh only the newest is shown, and the others' buffers return")
    func newestOfOneRefresh() throws {
        let size = PixelSize(width: 80, height: 60)
        let scene = try Scene(.display, size)
        for number in 0..<200 { try scene.show(size) { _, _ in UInt32(number) } }
        try scene.finish()
        let answers = scene.output.takeShown()
        #expect(answers.contains { $0.mode == .skip })
        #expect(scene.output.lastShown?.serial == 200)
        let all = PixelRect(size: size)
        #expect(scene.window.has([UInt32](repeating: 199, count: 80 * 60), in: all))
    }

    @Test("A refresh count made up from the time is told from a display's")
    func madeUpCounts() {
        // To the nearest, by either of the periods.
        let times = [(0, 0), (0, 8332), (1, 8334), (60, 1_000_020), (60, 999_960), (61, 1_008_354)]
        for (refresh, time) in times + [(1_566_465, 26_106_712_678)] {
            #expect(XConnection.isMadeUp(refresh: UInt64(refresh), at: UInt64(time)))
        }
        // Another period, a display that was switched on after the machine, one second a count, and nothing at all.
        for (refresh, time) in [(60, 1_000_000_000), (59_000, 1_000_020_000), (1000, 1_000_000_000), (0, 1_000_000)] {
            #expect(!XConnection.isMadeUp(refresh: UInt64(refresh), at: UInt64(time)))
        }
        #expect(!XConnection.isMadeUp(refresh: .max, at: .max))
    }

    @Test("Frames for consecutive refreshes are shown at them, at increasing times")
    func eachAtItsRefresh() throws {
        let size = PixelSize(width: 80, height: 60)
        let scene = try Scene(.usual, size)
        try scene.show(size, Self.noise)
        try scene.finish()
        let first = try #require(scene.output.lastShown)
        _ = scene.output.takeShown()
        for number in 1...3 {
            let buffer = try #require(try scene.output.takeBuffer(size))
            try scene.output.show(buffer, changed: nil, at: first.refresh + UInt64(number * 10))
        }
        try scene.finish()
        let seen = scene.output.takeShown()
        // A busy server may miss a refresh, though it is never early.
        #expect(seen.map { ($0.refresh - first.refresh) / 10 } == [1, 2, 3])
        #expect(zip(seen, seen.dropFirst()).allSatisfy { $0.time < $1.time })
    }

    @Test("A frame for a later refresh is shown at that refresh")
    func later() throws {
        let size = PixelSize(width: 80, height: 60)
        let scene = try Scene(.usual, size)
        try scene.show(size, Self.noise)
        try scene.finish()
        let first = try #require(scene.output.lastShown)
        let buffer = try #require(try scene.output.takeBuffer(size))
        try scene.output.show(buffer, changed: nil, at: first.refresh + 60)
        try scene.finish()
        // A busy server may miss a refresh, though it is never early.
        let late = try #require(scene.output.lastShown).refresh - first.refresh
        #expect((60..<70).contains(late))
    }

    @Test(
        "Without refreshes the server confirms frames without a count",
        arguments: [XPresentationMethod.sharedMemory, .socket])
    func unanswered(_ way: XPresentationMethod) throws {
        let size = PixelSize(width: 80, height: 60)
        let scene = try Scene(.usual, size, from: way)
        for _ in 0..<5 { try scene.show(size, Self.noise) }
        try scene.finish()
        #expect(scene.output.method == way)
        #expect(scene.output.takeShown().isEmpty && scene.output.lastShown == nil)
        #expect(scene.window.has(Self.noise(PixelRect(size: size)), in: PixelRect(size: size)))
    }

    @Test("A window that is not on screen accepts any number of frames", arguments: Kind.allCases)
    func unseen(_ kind: Kind) throws {
        let size = PixelSize(width: 80, height: 60)
        let scene = try Scene(kind, size, isHidden: true)
        for _ in 0..<10 { try scene.show(size, Self.noise) }
        try scene.finish()
    }
}
