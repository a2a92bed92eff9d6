import Motion
import Picture
import Stage

/// Programs made before they are needed.
extension Compositor {
    /// How many steps `warmUp` has.
    public static var warmUpSteps: Int { WarmUp.steps.count }

    /// Draws, where nobody sees it, one of the kinds of item that pages are made of.
    ///
    /// Drivers make programs when something is first drawn by them, a rasterizer on the CPU for each kind of target and
    /// blending: some 10 ms each, and several times that on a machine that never did it before. All in one frame would
    /// show in a film that is running; a step between two frames does not. To be called after a swap: what is in the
    /// current framebuffer is lost.
    /// - Parameter step: 0..<`warmUpSteps`.
    /// - Throws: as `draw`.
    public func warmUp(step: Int) throws(RenderingError) {
        let bitmap = Bitmap(
            size: WarmUp.side, pixels: [UInt8](repeating: 128, count: WarmUp.side.width * WarmUp.side.height * 4))
        try images.set(WarmUp.image, bitmap)
        defer { images.remove(WarmUp.image) }
        let texture = SurfaceTexture(device: device)
        try bitmap.withPicture { view throws(RenderingError) in
            if device.canUpload(view.format) { try texture.upload(view) }
        }
        var list = DisplayList(viewport: PixelSize(width: 32, height: 32))
        let (item, isCaptured) = WarmUp.steps[step]
        list.items = [item]
        if isCaptured {
            try capture(list, into: SurfaceTexture(device: device)) { _ in texture }
        } else {
            // Not a frame: it would take in text that nobody draws then.
            try draw(list, on: DrawTarget(size: list.viewport)) { _ in texture }
        }
    }
}

/// What is drawn to have the programs made.
private enum WarmUp {
    static let side = PixelSize(width: 8, height: 8)
    /// Nobody else's: numbers of images begin at zero.
    static let image = ImageID(rawValue: .min)

    static let steps: [(DisplayList.Item, isCaptured: Bool)] = {
        let whole = PixelRect(size: side)
        let wide = PixelRect(minX: 0, minY: 0, maxX: 20, maxY: 20)
        let small = PixelRect(minX: 0, minY: 0, maxX: 3, maxY: 3)
        let haze = Color(red: 1, green: 1, blue: 1, alpha: 0.5)
        let surface = SurfacePlacement(surface: SurfaceID(rawValue: 0), destination: wide, clip: wide)
        var shaded = surface
        shaded.shade = 0.1
        // What is under a page comes first: a drag shows it at once.
        let still: [DisplayList.Item] = [
            .image(ImagePlacement(source: .image(image), destination: whole, clip: whole)),
            .image(ImagePlacement(source: .image(image), destination: small, clip: small, cornerRadius: 1)),
            .box(BoxPlacement(destination: wide, clip: wide, cornerRadius: 4, gradient: Gradient(haze))),
            .fill(whole, haze),
        ]
        return still.map { ($0, true) } + still.map { ($0, false) } + [
            (.surface(surface), false), (.surface(shaded), false),
        ]
    }()
}
