import CGLES
import Motion
import Picture
import Stage
import Testing

@testable import Rendering

/// What the copy of a dimmed picture keeps from frame to frame.
@MainActor @Suite struct ShadedCopyTests {
    @Test("a shadow that comes in from the edge makes no texture with every column")
    func growing() throws {
        let size = PixelSize(width: 100, height: 20)
        let canvas = try Canvas(size.width, size.height)
        var picture = TestPicture.noise(PictureFormat(size: size, layout: .rgb(.rgba)), seed: 5)
        picture.format.layout = .rgb(canvas.device.preferredOrder)
        let texture = PlaneTexture(picture.format, plane: 0)
        picture.withView { texture.upload($0[plane: 0], size: size) }
        let copy = try #require(ShadedCopy(picture.format))
        var strips: [ObjectIdentifier] = []
        for columns in 1...70 {
            // Each has more rows than the one before it, too.
            let clip = PixelRect(minX: 0, minY: 0, maxX: columns, maxY: min(columns, size.height))
            let gradient = BoxPlacement(
                destination: clip, clip: clip,
                gradient: Gradient(from: .shadow(0), to: .shadow(0.5), axis: .horizontal))
            let ramp = try #require(ShadeRamp(shade: 0.1, gradient: gradient, over: clip))
            copy.copy(
                texture, to: PixelRect(size: size), clip: clip, ramp: ramp, on: DrawTarget(size: size))
            let strip = ObjectIdentifier(try #require(copy.strip))
            if strips.last != strip { strips.append(strip) }
        }
        #expect(strips.count == 3)
        #expect(copy.strip?.size == PixelSize(width: 96, height: 20))
        #expect(glGetError() == GLenum(GL_NO_ERROR))
    }
}
