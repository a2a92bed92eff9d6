import Foundation
import GlissadeGeometry
import GlissadePlatform
import GlissadeRendering
import Testing
import GlissadeTestSupport
import GlissadeTime

@testable import GlissadeWindowing

/// Servers and windows that go, memory that there is none of, and sizes without end.
@MainActor
@Suite(
    "X11 failures in software output", .serialized,
    .enabled(if: hasXvfb, "there is no Xvfb"))
struct XSoftwareOutputFaultTests {
    private typealias Scene = XSoftwareOutputTests.Scene
    private typealias Kind = XSoftwareOutputTests.Kind
    private static let size = PixelSize(width: 200, height: 120)

    /// How many frames' memories a process has.
    private func segments(of process: pid_t = getpid()) throws -> Int {
        try String(contentsOfFile: "/proc/\(process)/maps", encoding: .utf8).components(separatedBy: "glissade-frame")
            .count
            - 1
    }

    @Test(
        "A server that dies gives a one-line error, at once and from then on",
        arguments: XSoftwareOutputTests.Kind.allCases)
    func killed(_ kind: XSoftwareOutputTests.Kind) throws {
        let scene = try Scene(kind)
        try scene.show(Self.size, XSoftwareOutputTests.noise)
        scene.server.kill()
        let thrown = #expect(throws: RenderingError.self) {
            for _ in 0..<20 { try scene.show(Self.size, XSoftwareOutputTests.noise) }
        }
        let error = try #require(thrown)
        #expect(error == .presentation("the connection to the X server is lost"))
        #expect(error.description.contains("\n") == false && !scene.connection.isOpen)
        #expect(throws: error) { try scene.output.takeBuffer(PixelSize(width: 9, height: 9)) }
        #expect(throws: error) { try scene.output.finish(until: .now() + .seconds(20)) }
    }

    @Test("A missing server gives a one-line error")
    func nobody() {
        let error = #expect(throws: RenderingError.self) { try XConnection(":98765") }
        #expect(error == .unavailable("no X server at :98765"))
    }

    @Test("Frames for a window that has closed are dropped", arguments: XSoftwareOutputTests.Kind.allCases)
    func destroyed(_ kind: XSoftwareOutputTests.Kind) throws {
        let scene = try Scene(kind)
        for _ in 0..<2 { try scene.show(Self.size, XSoftwareOutputTests.noise) }
        let buffer = try #require(try scene.output.takeBuffer(Self.size))
        scene.window.destroy()
        try scene.output.show(buffer, changed: nil)
        for width in 1..<20 { try scene.show(PixelSize(width: width, height: 9), XSoftwareOutputTests.noise) }
        try scene.finish()
        #expect(!scene.output.hasWindow && scene.connection.isOpen)
        #expect(throws: RenderingError.self) { try XSoftwareOutput(window: scene.window.id, on: scene.connection) }
    }

    @Test("Windows from one pixel to wall size are shown, limited to X11's maximum")
    func sizes() throws {
        let scene = try Scene()
        for (width, height) in [(1, 1), (16_000, 200), (1, 3000), (32_767, 1), (640, 480), (1, 1)] {
            let size = PixelSize(width: width, height: height)
            scene.window.resize(size)
            try scene.show(size, XSoftwareOutputTests.noise)
            try scene.finish()
            let seen = PixelRect(minX: 0, minY: 0, maxX: min(width, 640), maxY: min(height, 480))
            #expect(scene.window.has(XSoftwareOutputTests.noise(seen), in: seen))
        }
        let size = PixelSize(width: 32_768, height: 1)
        #expect(throws: RenderingError.tooLarge(size, limit: 32_767)) { try scene.output.takeBuffer(size) }
        #expect(throws: RenderingError.emptyPicture) { try scene.output.takeBuffer(PixelSize(width: 0, height: 9)) }
        #expect(scene.output.method == .present)
    }

    @Test(
        "A window resized for every frame uses few buffers and leaks none",
        arguments: [Kind.usual, .sixteenBits])
    private func resized(_ kind: Kind) throws {
        let before = try segments()
        var process: pid_t = 0
        var witness: ObservedWindow?
        var server: XServer?
        do {
            let scene = try Scene(kind)
            (process, witness, server) = (scene.server.pid, scene.window, scene.server)
            for step in 0..<60 {
                let size = PixelSize(width: 300 + step * 5, height: 400 - step * 5)
                scene.window.resize(size)
                try scene.show(size, XSoftwareOutputTests.noise)
                #expect(try segments() - before <= XSoftwareOutput.largestCount)
                #expect(try segments(of: process) <= XSoftwareOutput.largestCount)
            }
            try scene.finish()
            let all = PixelRect(minX: 0, minY: 0, maxX: 595, maxY: 105)
            #expect(scene.window.has(XSoftwareOutputTests.noise(all), in: all))
        }
        witness?.waitForServer()
        #expect(try segments() == before)
        #expect(try segments(of: process) == 0)
        server = nil
        _ = server
    }

    @Test(
        "Without shared memory a frame is sent over the connection, and later ones use it again",
        arguments: [16, 64])
    func noRoom(megabytes: Int) throws {
        let scene = try Scene()
        let status = try String(contentsOfFile: "/proc/\(scene.server.pid)/status", encoding: .utf8)
        let line = try #require(status.split(separator: "\n").first { $0.hasPrefix("VmSize:") })
        let used = try #require(Int(line.split(separator: " ").dropFirst().first ?? ""))
        #expect(scene.server.limitAddresses(to: used * 1024 + megabytes << 20))
        // Addresses for 48 MB are reserved for each frame: none of them is taken, or one.
        let size = PixelSize(width: 20_000, height: 1)
        scene.window.resize(size)
        for number in 0..<6 { try scene.show(size) { x, _ in UInt32(x * 7 + number) } }
        try scene.finish()
        // Where one frame has room, all of them go by that.
        #expect(scene.output.method == (megabytes > 48 ? .present : .socket))
        let seen = PixelRect(minX: 0, minY: 0, maxX: 640, maxY: 1)
        let last: [UInt32] = (0..<640).map { $0 * 7 + 5 }
        #expect(scene.window.has(last, in: seen))
    }

    @Test("A buffer larger than reserved is refused, and one much too large is released")
    func memory() throws {
        let memory = try #require(FrameMemory(capacity: 16 << 20, isShared: true))
        #expect(!memory.resize(to: 16 << 20 + 1))
        #expect(memory.resize(to: 16 << 20) && memory.size == 16 << 20)
        memset(memory.address, 7, 16 << 20)
        #expect(memory.resize(to: 12 << 20) && memory.size == 16 << 20, "what is soon needed again stays")
        #expect(memory.resize(to: 100_000) && memory.size < 1 << 20)
        #expect(memory.address.load(fromByteOffset: 99_999, as: UInt8.self) == 7)
        #expect(memory.resize(to: 8 << 20))
        #expect(memory.address.load(fromByteOffset: 7 << 20, as: UInt8.self) == 0)
        #expect(close(memory.duplicate()) == 0)
    }
}
