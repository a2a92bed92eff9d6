import GlissadeFloating
import GlissadeGeometry
import GlissadeLayers
import GlissadeNavigation
import GlissadeRendering
import Testing
import GlissadeTime

@testable import GlissadeWindowing

/// What a floating window shows before it has shown a frame, on a real X server, with a window manager or without.
@MainActor @Suite("First picture", .serialized, .enabled(if: XDoTool.isUsable, "no X display, or no xdotool"))
struct FirstPictureTests {
    /// A color on the left, and another on the right.
    private final class Halves: FloatingElement {
        let layer = Layer(content: .color(Color(red: 1, green: 0.2, blue: 0)))
        let right = Layer(content: .color(Color(red: 0, green: 0.4, blue: 1)))
        let title = "Halves"
        var onNeedsDisplay: (@MainActor () -> Void)?

        init() { layer.add(right) }

        func layout(size: Size, scale: Double) {
            right.frame = Rect(x: size.width / 2, y: 0, width: size.width / 2, height: size.height)
        }
    }

    @Test(
        "A floating window shows its element from the moment when it is mapped, before any frame is shown",
        arguments: [(true, true), (true, false), (false, true), (false, false)])
    func mapped(isManaged: Bool, isDrawnByCPU: Bool) throws {
        try Openbox.run(isManaged) {
            var options = WindowOptions(size: Size(width: 320, height: 180))
            options.isDrawnByCPU = isDrawnByCPU
            let main = try Window(options)
            let renderer = try main.makeRenderer()
            let floating = try FloatingWindow(sharing: main, renderer: renderer) { _ in nil }
            let screen = try ObservedWindow(screenOf: nil)
            // The second time, the window has another size and an older picture.
            for area in [
                PixelRect(minX: 500, minY: 300, maxX: 820, maxY: 480),
                PixelRect(minX: 300, minY: 100, maxX: 780, maxY: 370),
            ] {
                floating.open(Halves(), area: area, beside: main)
                #expect(
                    SecondWindowTests.wait(floating.window) {
                        floating.window.isMapped && floating.window.area == area
                    })
                // Near the corners of the window and beside the middle: without the places of buttons.
                for (x, color) in [(4, 0xFF3300), (area.width / 2 - 2, 0xFF3300), (area.width / 2 + 2, 0x0066FF)] {
                    for y in [area.height / 2 - 30, area.height - 20] {
                        let place = PixelRect(
                            minX: area.minX + x, minY: area.minY + y, maxX: area.minX + x + 1, maxY: area.minY + y + 1)
                        #expect(screen.has([UInt32(color)], in: place), "at \(x), \(y) of \(area)")
                    }
                }
                floating.didPresent(at: .now())
                #expect(floating.close() == area)
                #expect(SecondWindowTests.wait(floating.window) { !floating.window.isMapped })
            }
        }
    }

    @Test("Pixels of the wrong number, an empty size and an absurd size set no picture")
    func refused() throws {
        let window = try Window(WindowOptions(size: Size(width: 64, height: 32)))
        _ = window.x11.area
        let id = UInt32(window.x11.window)
        let connection = try XConnection.shared()
        for (count, width, height) in [(15, 2, 2), (17, 2, 2), (0, 0, 4), (16, 0, 0), (16, -2, -2), (0, 40_000, 1)] {
            let pixels = [UInt8](repeating: 7, count: count)
            let size = PixelSize(width: width, height: height)
            #expect(try !connection.setBackground(pixels, size: size, of: id))
        }
        let (pixels, size) = ([UInt8](repeating: 7, count: 16), PixelSize(width: 2, height: 2))
        #expect(try connection.setBackground(pixels, size: size, of: id))
        #expect(throws: RenderingError.self) { try connection.setBackground(pixels, size: size, of: 1) }
    }
}

extension Window {
    /// A renderer for the window: on the CPU if the window has no OpenGL context.
    func makeRenderer() throws -> any Renderer {
        if let output { return SoftwareRenderer(output: output, images: ImageCache()) }
        return GLRenderer(Compositor(device: try GLDevice()), context: context)
    }
}
