import GlissadeGeometry
import GlissadeLayers
import GlissadeRendering
import Testing
import GlissadeTime

@testable import GlissadeApp
@testable import GlissadeRendering

/// What a film shows at each refresh of a display of 60 Hz, while something moves. The film is `Films.grays`, whose frames are
/// shown for three refreshes each, and the program's time is stopped: what is seen does not depend on the machine's speed.
@MainActor final class ShownFrames {
    private let program: SteppedProgram
    /// The number of the frame on the screen at each refresh, by its time, counted from 0.
    private var numbers: [Int] = []
    /// How many frames the player had dropped at the beginning.
    private let dropped: Int

    /// Stops the time of a program that plays the film, a half of a refresh before its next frame is due.
    init(_ program: SteppedProgram) throws {
        self.program = program
        program.stopTime()
        try program.awaitFrame()
        var start = try #require(program.application.film?.nextFrameDue) - .nanoseconds(8_333_333)
        while start < program.now { start = start + .milliseconds(50) }
        program.pass(start - program.now)
        dropped = try program.player.counts.dropped
    }

    /// Shows what the display's next refresh shows.
    func refresh(sourceLocation: SourceLocation = #_sourceLocation) throws {
        try program.refresh()
        let time = try #require(program.shown, sourceLocation: sourceLocation)
        let number = Int((time.inSeconds * 20).rounded())
        numbers.append(number)
        // The frame that the layers show is that one, and the film is on the screen.
        let gray = try #require(program.application.playing?.film.texture.middleGray, sourceLocation: sourceLocation)
        #expect(Films.number(ofGray: gray) == number % 8, "frame \(number)", sourceLocation: sourceLocation)
        let places = program.list.items.filter { item in
            guard case .surface(let place) = item, place.surface == PlaybackSession.surface else { return false }
            return !place.clip.isEmpty && place.opacity > 0 && place.shade < 1
        }
        #expect(!places.isEmpty, "frame \(number) is not on the screen", sourceLocation: sourceLocation)
    }

    func refresh(_ count: Int, sourceLocation: SourceLocation = #_sourceLocation) throws {
        for _ in 0..<count { try refresh(sourceLocation: sourceLocation) }
    }

    /// Shows refreshes until `isDone`, and then some at rest.
    func refresh(
        until what: String, sourceLocation: SourceLocation = #_sourceLocation, _ isDone: () -> Bool
    ) throws {
        var count = 0
        repeat {
            try refresh(sourceLocation: sourceLocation)
            count += 1
            try #require(count < 180, "it never came: \(what)", sourceLocation: sourceLocation)
        } while !isDone()
        try refresh(10, sourceLocation: sourceLocation)
    }

    /// Moves the pointer in a straight line, one step at each refresh.
    func move(from start: Point, to end: Point, steps: Int) throws {
        for step in 1...steps {
            let fraction = Double(step) / Double(steps)
            program.move(
                to: Point(x: start.x + (end.x - start.x) * fraction, y: start.y + (end.y - start.y) * fraction))
            try refresh()
        }
    }

    /// Expects that each frame was shown for three refreshes, in order, and that none was left out.
    func expectUnbroken(sourceLocation: SourceLocation = #_sourceLocation) throws {
        var shown: [(number: Int, count: Int)] = []
        for number in numbers {
            if shown.last?.number == number {
                shown[shown.count - 1].count += 1
            } else {
                shown.append((number, 1))
            }
        }
        for (frame, next) in zip(shown, shown.dropFirst()) {
            #expect(next.number == frame.number + 1, sourceLocation: sourceLocation)
        }
        for frame in shown.dropFirst().dropLast() {
            #expect(frame.count == 3, "frame \(frame.number)", sourceLocation: sourceLocation)
        }
        #expect(try program.player.counts.dropped == dropped, sourceLocation: sourceLocation)
    }
}

extension SoftwareSurface {
    /// The green of the newest frame's middle, 0…255; nil without a frame.
    fileprivate var middleGray: UInt8? {
        RenderLock.withLock {
            raster.map { raster in
                let offset = raster.size.width / 2 * 4 + 1
                return raster.withRows { rows, stride in
                    rows.load(fromByteOffset: raster.size.height / 2 * stride + offset, as: UInt8.self)
                }
            }
        }
    }
}
