import GlissadeGeometry
import GlissadePlatform
import GlissadePresentation
import GlissadeRendering
import GlissadeWindowing
import GlissadeText

/// The window or offscreen surface, and its renderer. Main thread.
@MainActor struct Drawing {
    let surface: any FrameSurface
    /// The window; nil if frames are drawn offscreen.
    let window: Window?
    let renderer: any Renderer
    /// Whether the software renderer may take over if OpenGL fails: true if OpenGL was chosen automatically.
    var mayChangeRenderer = false

    /// Creates the window or offscreen surface and the renderer that the options choose. The automatic choice is OpenGL
    /// if there is a GPU and OpenGL works on it, else software rendering.
    ///
    /// - Parameters:
    ///   - console: Receives an error message if OpenGL is chosen automatically but fails.
    ///   - onWindow: Called with each window that is created, before its renderer, which may take longer.
    /// - Throws: `WindowingError` or `RenderingError` if the window, the surface or the renderer cannot be created.
    static func begin(
        _ options: LaunchOptions, title: String, signal: WakeSignal, console: Console,
        wake: @escaping @Sendable () -> Void, onWindow: @escaping @MainActor (Window) -> Void
    ) throws -> Drawing {
        let place = Place(options: options, title: title, signal: signal, wake: wake, onWindow: onWindow)
        switch options.renderer ?? .auto {
        case .software: return try place.byCPU()
        case .gles: return try place.byOpenGL().drawing
        case .auto:
            guard GPUProbe.findsGPU else { return try place.byCPU() }
            do {
                var made = try place.byOpenGL()
                made.drawing.mayChangeRenderer = true
                if !made.isSoftware { return made.drawing }
            } catch WindowingError.noDisplay(let reason) {
                throw WindowingError.noDisplay(reason)
            } catch {
                console.error("OpenGL is not available, using software rendering: \(error)")
            }
            return try place.byCPU()
        }
    }

    /// Creates a new window or offscreen surface with software rendering, after OpenGL has failed.
    ///
    /// - Throws: The same errors as `begin`.
    static func beginAgain(
        _ options: LaunchOptions, title: String, signal: WakeSignal, wake: @escaping @Sendable () -> Void
    ) throws -> Drawing {
        try Place(options: options, title: title, signal: signal, wake: wake).byCPU()
    }

    /// Creates a window or offscreen surface, and its renderer.
    @MainActor private struct Place {
        let options: LaunchOptions
        let title: String
        let signal: WakeSignal
        let wake: @Sendable () -> Void
        var onWindow: @MainActor (Window) -> Void = { _ in }

        private var size: Size { options.size ?? Size(width: 1280, height: 720) }
        private var pixels: PixelSize { PixelSize(width: Int(size.width), height: Int(size.height)) }

        private func makeWindow(isDrawnByCPU: Bool) throws -> Window {
            var windowOptions = WindowOptions(title: title, size: size, position: options.position)
            windowOptions.isBorderless = options.isBorderless
            windowOptions.isFullscreen = options.isFullscreen
            windowOptions.isAlwaysOnTop = options.isOnTop
            windowOptions.isDrawnByCPU = isDrawnByCPU
            windowOptions.trustsRefreshes = options.trustsRefreshes
            let window = try Window(windowOptions)
            onWindow(window)
            return window
        }

        func byOpenGL() throws -> (drawing: Drawing, isSoftware: Bool) {
            let window = options.isOffscreen ? nil : try makeWindow(isDrawnByCPU: false)
            let surface: any FrameSurface =
                try window ?? OffscreenLoopSurface(OffscreenSurface(size: pixels), signal: signal)
            surface.makeCurrent()
            let device = try GLDevice()
            let images = ImageCache(
                device: device, isSlowAtFirst: true, makeRasterizer: TextRasterizer.init, wake: wake)
            let renderer = GLRenderer(Compositor(device: device, images: images), context: window?.context)
            return (Drawing(surface: surface, window: window, renderer: renderer), device.isSoftware)
        }

        func byCPU() throws -> Drawing {
            let window = options.isOffscreen ? nil : try makeWindow(isDrawnByCPU: true)
            let images = ImageCache(isSlowAtFirst: true, makeRasterizer: TextRasterizer.init, wake: wake)
            let renderer = SoftwareRenderer(output: window?.output ?? SoftwareMemoryOutput(), images: images)
            return Drawing(
                surface: window ?? OffscreenLoopSurface(MemorySurface(size: pixels), signal: signal), window: window,
                renderer: renderer)
        }
    }
}
