import GlissadeGeometry
import Testing

@testable import GlissadeApp

/// The picture of a paused player whose window changes its size.
@Suite("Resizing")
@MainActor struct ResizingTests {
    @Test("A frame that was being converted for the old size is fetched again for the new one")
    func quickly() throws {
        let program = try SteppedProgram(
            size: PixelSize(width: 640, height: 360), playing: SteppedProgram.sample, isPaused: true)
        try program.run("the first frame") { $0.pictureSize?.width == 640 }

        try program.resize(to: PixelSize(width: 320, height: 180))
        program.draw()
        try program.advance("the frame for 320×180 waits to be shown") { $0.application.film?.nextFrameDue != nil }
        try program.resize(to: PixelSize(width: 480, height: 270))
        try program.run("the frame for 480×270") { $0.pictureSize == PixelSize(width: 480, height: 270) }
    }
}

extension SteppedProgram {
    /// The size of the picture that the layer draws from.
    fileprivate var pictureSize: PixelSize? { application.playing?.film.texture.format?.size }
}
