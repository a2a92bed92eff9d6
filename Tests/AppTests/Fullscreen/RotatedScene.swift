import GlissadeGeometry
import GlissadeInput
import GlissadeLayers
import GlissadeNavigation
import Testing
import GlissadeTime

@testable import GlissadeApp

/// Films in a window of 640×480 with `interface.fullscreen-turns`. A film of 180×320 is rotated to 640×360.
@MainActor struct RotatedScene {
    static let place = PixelRect(minX: 0, minY: 60, maxX: 640, maxY: 420)
    let scene: Scene

    init() throws { scene = try Scene() }

    func film(_ location: String? = nil, list: [String]? = nil) throws -> SteppedProgram {
        let settings = try scene.write("[interface]\nfullscreen-turns = true\n", to: "config.toml")
        return try SteppedProgram.film(location ?? Films.portrait(), list: list, settings: settings)
    }

    /// Returns a film that is rotated in fullscreen.
    func rotatedFilm(_ location: String? = nil, list: [String]? = nil) throws -> SteppedProgram {
        let program = try film(location, list: list)
        program.type("f")
        try program.reach(.fullscreen)
        return program
    }
}

extension SteppedProgram {
    /// Where the film is on the screen; nil if it is not visible.
    var film: SurfacePlacement? {
        for case .surface(let placement) in list.items where placement.surface == PlaybackSession.surface {
            return placement
        }
        return nil
    }

    /// The rotations of the texts, icons and images on the screen.
    var rotations: Set<QuarterTurns> {
        Set(
            list.items.compactMap {
                if case .image(let placement) = $0 { placement.rotation } else { nil }
            })
    }

    /// Whether the layout is rotated.
    var isRotated: Bool { application.pageControllers.fullscreen.layoutRotation.current.isRotated }

    /// Where a point of the rotated layout is in the window.
    func window(_ point: Point) -> Point {
        Point(x: application.state.window.size.width - point.y, y: point.x)
    }

    func setTurns(_ isOn: Bool) {
        var settings = application.settings
        settings.interface.turnsInFullscreen = isOn
        application.state.settings.apply(settings)
        draw()
    }

    /// Moves the pointer, and expects that neither the video nor its page follows it.
    func expectNoDrag(
        from start: Point, to end: Point, sourceLocation: SourceLocation = #_sourceLocation
    ) {
        for step in 1...12 {
            let fraction = Double(step) / 12
            move(to: Point(x: start.x + (end.x - start.x) * fraction, y: start.y + (end.y - start.y) * fraction))
            pass(.milliseconds(8))
        }
        #expect(!application.fullscreen.isHeld && !application.stack.isHeld, sourceLocation: sourceLocation)
        #expect(application.fullscreen.state == .fullscreen, sourceLocation: sourceLocation)
    }

    /// Drags, and rests there without letting go.
    func hold(from start: Point, to end: Point) {
        drag(from: start, to: end)
        pass(.milliseconds(300))
        move(to: end)
        pass(.milliseconds(300))
    }

    func reach(_ state: FullscreenController.State) throws {
        try run("\(state)") { $0.application.fullscreen.state == state }
        draw()
    }

    /// Expects that the portrait film and its layout are rotated.
    func expectRotated(sourceLocation: SourceLocation = #_sourceLocation) {
        #expect(film?.destination == RotatedScene.place && film?.rotation == .quarter, sourceLocation: sourceLocation)
        #expect(film?.quarterTurns == 0, sourceLocation: sourceLocation)
        #expect(list.viewport == PixelSize(width: 640, height: 480), sourceLocation: sourceLocation)
    }
}

extension SurfacePlacement {
    var middle: Point {
        Point(
            x: Double(destination.minX + destination.maxX) / 2, y: Double(destination.minY + destination.maxY) / 2)
    }
}
