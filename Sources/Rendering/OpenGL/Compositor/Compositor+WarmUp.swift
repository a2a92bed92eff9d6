import GlissadeGeometry
import GlissadeLayers
import GlissadePicture

/// Compiles programs ahead of their first use.
extension Compositor {
    /// The number of steps of `warmUp`.
    public static var warmUpSteps: Int { WarmUp.steps.count }

    /// Runs one step of the warm-up: links a program that pages need, or draws an item where the user does not see it.
    ///
    /// Drivers compile a program when it is linked or first used, which takes several milliseconds or more. Run only
    /// one step between two frames, so that a running film is not disturbed. Call this after a swap, because the
    /// content of the current framebuffer is lost.
    ///
    /// - Parameter step: 0..<`warmUpSteps`.
    /// - Throws: The errors of `capture`.
    public func warmUp(step: Int) throws(RenderingError) {
        switch WarmUp.steps[step] {
        case .program(let variant):
            _ = try use(variant)
        case .capture(let item):
            try draw(item) { (list, texture) throws(RenderingError) in
                try capture(list, into: VideoTexture(device: device)) { _ in texture }
            }
        case .draw(let item, let brightnessOffset):
            try draw(item, brightnessOffset: brightnessOffset) { (list, texture) throws(RenderingError) in
                // Not drawn as a frame, which would take finished text from the raster thread without drawing it.
                try draw(list, on: DrawTarget(size: list.viewport)) { _ in texture }
            }
        }
    }

    /// Calls `draw` with a list that contains only `item`, and with a texture for the surface of `item`. The texture
    /// holds a frame only if `item` is a surface.
    private func draw(
        _ item: DisplayList.Item, brightnessOffset: Double = 0,
        by draw: (DisplayList, VideoTexture) throws(RenderingError) -> Void
    ) throws(RenderingError) {
        let bitmap = Bitmap(
            size: WarmUp.side, pixels: [UInt8](repeating: 128, count: WarmUp.side.width * WarmUp.side.height * 4))
        let texture = VideoTexture(device: device)
        texture.brightnessOffset = brightnessOffset
        switch item {
        case .image(let placement):
            if placement.source == .image(WarmUp.plain) {
                try images.set(WarmUp.plain, bitmap, mayShrink: false)
            } else {
                try images.set(WarmUp.image, bitmap)
            }
        case .surface:
            try bitmap.withPicture { view throws(RenderingError) in
                if device.canUpload(view.format) { try texture.upload(view) }
            }
        case .fill, .box, .shadow: break
        }
        defer {
            images.remove(WarmUp.image)
            images.remove(WarmUp.plain)
        }
        var list = DisplayList(viewport: PixelSize(width: 32, height: 32))
        list.items = [item]
        try draw(list, texture)
    }
}

/// The steps of `warmUp`, and the images that they draw.
private enum WarmUp {
    enum Step {
        /// Links a program. Some drivers complete the compilation only at the first draw.
        case program(ProgramVariant)
        /// Draws an item into a texture.
        case capture(DisplayList.Item)
        /// Draws an item into the current framebuffer.
        case draw(DisplayList.Item, brightnessOffset: Double = 0)
    }

    /// The size of the images and frames to draw. Like those of most images, the sides are not powers of two, which a
    /// driver may handle with separate code.
    static let side = PixelSize(width: 11, height: 7)
    /// The ID of an image with mipmaps. All image IDs except this one and `plain` are positive.
    static let image = ImageID(rawValue: .min)
    /// The ID of an image without mipmaps, which stands in for text and icons.
    static let plain = ImageID(rawValue: .min + 1)

    static let steps: [Step] = {
        let whole = PixelRect(size: side)
        let wide = PixelRect(minX: 0, minY: 0, maxX: 20, maxY: 20)
        let small = PixelRect(minX: 0, minY: 0, maxX: 3, maxY: 3)
        let haze = Color(red: 1, green: 1, blue: 1, alpha: 0.5)
        let surface = SurfacePlacement(surface: SurfaceID(rawValue: 0), destination: wide, clip: wide)
        var shaded = surface
        shaded.shade = 0.1
        // A placement at the frame's own size, so that luma is unfiltered.
        let aside = PixelRect(minX: 3, minY: 2, maxX: 3 + side.width, maxY: 2 + side.height)
        let level = SurfacePlacement(surface: surface.surface, destination: aside, clip: aside)
        // The placement of the page beneath, captured for a drag.
        var shadedLevel = level
        shadedLevel.shade = 0.1
        // Captures come before draws: a drag immediately shows a capture of the page beneath. A fill comes first,
        // since a target's first draw is the most expensive.
        let fill = DisplayList.Item.fill(whole, haze)
        // Drawn without blending, for which software rasterizers have separate code.
        let opaqueFill = DisplayList.Item.fill(whole, Color(red: 1, green: 1, blue: 1, alpha: 1))
        let programs = [
            ProgramVariant(.raster), ProgramVariant(.raster), ProgramVariant(.raster, isRounded: true),
            ProgramVariant(.box, isRounded: true),
        ]
        let rasters: [DisplayList.Item] = [
            .image(ImagePlacement(source: .image(plain), destination: whole, clip: whole)),
            .image(ImagePlacement(source: .image(image), destination: whole, clip: whole)),
            .image(ImagePlacement(source: .image(image), destination: small, clip: small, cornerRadius: 1)),
            .box(BoxPlacement(destination: wide, clip: wide, cornerRadius: 4, gradient: Gradient(haze))),
        ]
        // The backdrop of controls and menus.
        let clear = Color(red: 0, green: 0, blue: 0, alpha: 0)
        let scrim = DisplayList.Item.box(
            BoxPlacement(destination: wide, clip: wide, gradient: Gradient(from: clear, to: haze)))
        let shadow = DisplayList.Item.shadow(
            ShadowPlacement(caster: small, clip: wide, blur: 8, cornerRadius: 1, color: haze))
        let controls: [Step] = [
            .program(ProgramVariant(.box)), .draw(scrim),
            .program(ProgramVariant(.shadow, isRounded: true, isSoft: true)), .draw(shadow),
        ]
        // The variants for a film: plain, shaded while its page is beneath another, with rounded corners, and
        // rotating in a transition.
        func film(_ layout: PlaneLayout) -> [Step] {
            [
                ProgramVariant(layout, isRounded: false, isShaded: false),
                ProgramVariant(layout, isRounded: false, isShaded: true),
                ProgramVariant(layout, isRounded: true, isShaded: false),
                ProgramVariant(layout, isRounded: true, isShaded: true),
                ProgramVariant(layout, isRounded: false, isShaded: false, isRotated: true),
            ].map { .program($0) }
        }
        let draws =
            rasters + [
                fill, opaqueFill, .surface(level), .surface(shadedLevel), .surface(surface), .surface(shaded),
            ]
        // Most films are planar. The other layouts come last.
        return film(.planar(.quarter)) + [.program(ProgramVariant(.fill)), .capture(fill), .capture(opaqueFill)]
            + zip(programs, rasters).flatMap { [.program($0), .capture($1)] } + draws.map { .draw($0) }
            + [.draw(.surface(surface), brightnessOffset: 0.1)] + controls
            + [.semiPlanar(vFirst: false), .rgb(.rgba), .gray].flatMap(film)
    }()
}
