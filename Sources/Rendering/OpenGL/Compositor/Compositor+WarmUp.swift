import Geometry
import Layers
import Picture

/// Programs made before they are needed.
extension Compositor {
    /// How many steps `warmUp` has.
    public static var warmUpSteps: Int { WarmUp.steps.count }

    /// Makes one of the programs that pages are drawn with, or draws by it where nobody sees it.
    ///
    /// Drivers make programs when they are linked, or when something is first drawn by them: some milliseconds each, and
    /// several times that on a machine that never did it before. All in one frame would show in a film that is running; a step
    /// between two frames does not. To be called after a swap: what is in the current framebuffer is lost.
    /// - Parameter step: 0..<`warmUpSteps`.
    /// - Throws: as `draw`.
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
                // Not a frame: it would take in text that nobody draws then.
                try draw(list, on: DrawTarget(size: list.viewport)) { _ in texture }
            }
        }
    }

    /// Gives `draw` a list of `item` alone, with the picture that a surface in it has, made brighter by `brightnessOffset`.
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

/// What is made, and drawn to have the rest made.
private enum WarmUp {
    enum Step {
        /// A program, as far as a driver makes it before it draws.
        case program(ProgramVariant)
        /// A draw into a texture, and into the window.
        case capture(DisplayList.Item)
        case draw(DisplayList.Item, brightnessOffset: Double = 0)
    }

    /// No powers of two: a driver may have code of its own for pictures of such a width or height, as few are.
    static let side = PixelSize(width: 11, height: 7)
    /// Nobody else's: numbers of images begin at zero.
    static let image = ImageID(rawValue: .min)
    /// Without smaller copies, as text and icons are: code of its own again.
    static let plain = ImageID(rawValue: .min + 1)

    static let steps: [Step] = {
        let whole = PixelRect(size: side)
        let wide = PixelRect(minX: 0, minY: 0, maxX: 20, maxY: 20)
        let small = PixelRect(minX: 0, minY: 0, maxX: 3, maxY: 3)
        let haze = Color(red: 1, green: 1, blue: 1, alpha: 0.5)
        let surface = SurfacePlacement(surface: SurfaceID(rawValue: 0), destination: wide, clip: wide)
        var shaded = surface
        shaded.shade = 0.1
        // Pixel by pixel, its luma unfiltered.
        let aside = PixelRect(minX: 3, minY: 2, maxX: 3 + side.width, maxY: 2 + side.height)
        let level = SurfacePlacement(surface: surface.surface, destination: aside, clip: aside)
        // What is under a page comes first: a drag shows it at once. The first of a target is the dearest.
        let fill = DisplayList.Item.fill(whole, haze)
        let programs = [
            ProgramVariant(.still), ProgramVariant(.still), ProgramVariant(.still, isRounded: true),
            ProgramVariant(.box, isRounded: true),
        ]
        let still: [DisplayList.Item] = [
            .image(ImagePlacement(source: .image(plain), destination: whole, clip: whole)),
            .image(ImagePlacement(source: .image(image), destination: whole, clip: whole)),
            .image(ImagePlacement(source: .image(image), destination: small, clip: small, cornerRadius: 1)),
            .box(BoxPlacement(destination: wide, clip: wide, cornerRadius: 4, gradient: Gradient(haze))),
        ]
        // What lies behind controls and menus.
        let clear = Color(red: 0, green: 0, blue: 0, alpha: 0)
        let scrim = DisplayList.Item.box(
            BoxPlacement(destination: wide, clip: wide, gradient: Gradient(from: clear, to: haze)))
        let shadow = DisplayList.Item.shadow(
            ShadowPlacement(caster: small, clip: wide, blur: 8, cornerRadius: 1, color: haze))
        let controls: [Step] = [
            .program(ProgramVariant(.box)), .draw(scrim),
            .program(ProgramVariant(.shadow, isRounded: true, isSoft: true)), .draw(shadow),
        ]
        // A film's, as its page is dimmed beneath another, cut round, and turned on its way.
        let layouts: [PlaneLayout] = [.planar(.quarter), .semiPlanar(vFirst: false), .rgb(.rgba), .gray]
        let film = layouts.flatMap { layout in
            [
                ProgramVariant(layout, isRounded: false, isShaded: false),
                ProgramVariant(layout, isRounded: false, isShaded: true),
                ProgramVariant(layout, isRounded: true, isShaded: false),
                ProgramVariant(layout, isRounded: true, isShaded: true),
                ProgramVariant(layout, isRounded: false, isShaded: false, isTurned: true),
            ]
        }
        return film.map { .program($0) } + [.program(ProgramVariant(.fill)), .capture(fill)]
            + zip(programs, still).flatMap { [.program($0), .capture($1)] }
            + (still + [fill, .surface(level), .surface(surface), .surface(shaded)]).map { .draw($0) } + [
                .draw(.surface(surface), brightnessOffset: 0.1)
            ] + controls
    }()
}
