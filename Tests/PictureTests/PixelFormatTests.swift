import GlissadeGeometry
import GlissadePicture
import Testing

@Suite("Pixel formats") struct PixelFormatTests {
    @Test("The chroma planes of a frame of odd size cover its last column and row", arguments: [1, 2, 3, 35, 1919])
    func planeSizes(length: Int) {
        let size = PixelSize(width: length, height: length)
        let half = (length + 1) / 2
        #expect(
            PixelFormat(size: size, layout: .planar(.quarter)).planeSize(2) == PixelSize(width: half, height: half))
        #expect(
            PixelFormat(size: size, layout: .planar(.halfAcross)).planeSize(1)
                == PixelSize(width: half, height: length))
        #expect(PixelFormat(size: size, layout: .planar(.full)).planeSize(1) == size)
        let interleaved = PixelFormat(size: size, layout: .semiPlanar(vFirst: false), bitDepth: 10)
        #expect(interleaved.planeSize(1) == PixelSize(width: half, height: half))
        #expect(interleaved.texelBytes(1) == 4 && interleaved.texelBytes(0) == 2 && interleaved.planeCount == 2)
        #expect(PixelFormat(size: size, layout: .rgb(.rgba)).texelBytes(0) == 4)
    }

    @Test("The display size stretches one side by the pixel aspect ratio, never shrinks, and follows the rotation")
    func displaySizes() {
        let coded = PixelSize(width: 720, height: 576)
        #expect(PixelGeometry(pixelAspect: 2).displaySize(of: coded) == Size(width: 1440, height: 576))
        #expect(PixelGeometry(pixelAspect: 0.5).displaySize(of: coded) == Size(width: 720, height: 1152))
        #expect(
            PixelGeometry(pixelAspect: 2, rotation: .quarter).displaySize(of: coded) == Size(width: 576, height: 1440)
        )
    }

    @Test("An invalid pixel aspect ratio counts as square", arguments: [0, -1, .nan, .infinity, 1e9, 1e-9] as [Double])
    func nonsense(aspect: Double) {
        #expect(PixelGeometry(pixelAspect: aspect).pixelAspect == 1)
    }
}
