import GlissadeCGLES
import GlissadeGeometry
import GlissadeLayers
import GlissadePicture
import GlissadeRendering
import Testing
import GlissadeTestSupport
import GlissadeTime
import GlissadeWindowing

/// An offscreen surface and all that draws on it. Each has a context of its own.
@MainActor final class Canvas {
    let surface: OffscreenSurface
    let device: GLDevice
    let compositor: Compositor
    private(set) var texture: VideoTexture

    /// - Parameters:
    ///   - makeImages: makes what knows text.
    init(
        _ width: Int, _ height: Int,
        makeImages: (@MainActor (GLDevice) -> ImageCache)? = nil
    ) throws {
        surface = try OffscreenSurface(size: PixelSize(width: width, height: height))
        device = try GLDevice()
        compositor = Compositor(device: device, images: makeImages?(device))
        texture = VideoTexture(device: device)
    }

    isolated deinit { surface.makeCurrent() }  // What is released next belongs to this context.

    /// An RGB picture looks the same in either order: its bytes are exchanged for `bgra`.
    func upload(_ picture: TestPicture, order: PixelOrder = .rgba) throws {
        surface.makeCurrent()
        var picture = picture
        if order == .bgra {
            picture.format.layout = .rgb(.bgra)
            for red in stride(from: 0, to: picture.planes[0].count, by: 4) { picture.planes[0].swapAt(red, red + 2) }
        }
        try picture.withView { view throws(RenderingError) in try texture.upload(view) }
    }

    /// An RGB picture in the order that is drawn at the least cost.
    func upload(_ picture: TestPicture, to texture: VideoTexture) throws {
        let own = self.texture
        self.texture = texture
        defer { self.texture = own }
        try upload(picture)
    }

    /// What `items` show, as a texture.
    func capture(_ items: [DisplayList.Item]) throws -> VideoTexture {
        surface.makeCurrent()
        let captured = VideoTexture(device: device)
        var list = DisplayList(viewport: surface.pixelSize)
        list.items = [.fill(PixelRect(size: surface.pixelSize), .gray)] + items
        try compositor.capture(list, into: captured) { _ in texture }
        #expect(glGetError() == GLenum(GL_NO_ERROR))
        return captured
    }

    /// Draws `items` (the texture by any name but those of `others`) over mid gray, and reads the whole surface back.
    func draw(
        _ items: [DisplayList.Item], _ others: [SurfaceID: VideoTexture] = [:], over background: Color? = .gray
    ) throws -> Pixels {
        surface.makeCurrent()
        var list = DisplayList(viewport: surface.pixelSize)
        if let background { list.items.append(.fill(PixelRect(size: surface.pixelSize), background)) }
        list.items += items
        try compositor.draw(list) { others[$0] ?? texture }
        surface.swap()
        #expect(glGetError() == GLenum(GL_NO_ERROR))
        return Pixels(size: surface.pixelSize, bytes: device.readPixels(surface.pixelSize))
    }

    /// A picture over the whole surface.
    func draw(_ picture: TestPicture, rotation: QuarterTurns = .none) throws -> Pixels {
        try upload(picture)
        let all = PixelRect(size: surface.pixelSize)
        return try draw([.surface(.init(surface: .test, destination: all, clip: all, rotation: rotation))])
    }
}

extension GLDevice {
    /// That of offscreen surfaces on this machine, for conditions of tests; nil where there is none.
    @MainActor static let offscreen = (try? Canvas(1, 1))?.device
}

extension SurfaceID { static let test = SurfaceID(rawValue: 1) }
