import Foundation
import GlissadeGeometry
import GlissadeLayers
import GlissadePicture
import GlissadePlatform
import GlissadeRendering
import GlissadeTime

/// One measurement of the software renderer.
@MainActor private struct SoftwareCase {
    let name: String
    let list: (Int) -> DisplayList
    /// Whether to draw only the changes between frames. The film then counts as changed in every frame.
    var drawsChanges = false
}

/// Measures how long the software renderer takes to draw a page with a film into two alternating buffers of
/// 1920×1080. Prints the results.
@MainActor func measureSoftware() throws {
    let size = PixelSize(width: 1920, height: 1080)
    let all = PixelRect(size: size)
    let renderer = SoftwareCompositor(images: ImageCache())
    let (film, snapshot) = (SoftwareSurface(), SoftwareSurface())
    let format = PixelFormat(size: size, layout: .rgb(.bgra))
    let pixels = noise(seed: 1, of: size)
    func upload(to surface: SoftwareSurface) throws {
        try pixels.withUnsafeBytes { bytes in
            // The pointer is valid during the call, and the array is not empty.
            try surface.upload(PixelView(format: format, .init(base: bytes.baseAddress!, stride: size.width * 4)))
        }
    }
    try upload(to: film)
    try upload(to: snapshot)
    var translucent = pixels.flatMap { pixel -> [UInt8] in
        let alpha = pixel >> 16 & 255
        return (0..<3).map { UInt8((pixel >> ($0 * 8) & 255) * alpha / 255) } + [UInt8(alpha)]
    }
    try renderer.images.set(ImageID(rawValue: 1), Bitmap(size: size, pixels: translucent))
    translucent = []

    let scene = PopScene(size: size)
    func list(_ items: [DisplayList.Item]) -> DisplayList {
        var list = DisplayList(viewport: size)
        list.items = items
        return list
    }
    func video(_ rect: PixelRect, clip: PixelRect? = nil) -> SurfacePlacement {
        SurfacePlacement(surface: PopScene.video, destination: rect, clip: clip ?? all)
    }
    func pop(_ progress: Double) -> DisplayList {
        var list = scene.rest
        scene.pop(progress, into: &list)
        return list
    }
    let small = PixelRect(minX: 320, minY: 180, maxX: 1600, maxY: 900)
    var (faded, shaded, rounded, turned) = (video(all), video(all), video(small), video(small))
    (faded.opacity, shaded.shade, rounded.cornerRadius, turned.quarterTurns) = (0.5, 0.4, 24, 0.1)
    let black = Color(red: 0, green: 0, blue: 0, alpha: 0.4)
    let shadow = DisplayList.Item.shadow(
        ShadowPlacement(caster: small, clip: all, blur: 40, cornerRadius: 12, color: black))
    let ramp = Gradient(from: Color(red: 0, green: 0, blue: 0, alpha: 0), to: black)
    let cases: [SoftwareCase] = [
        SoftwareCase(name: "film at rest") { _ in scene.rest },
        SoftwareCase(name: "page held at 0.5") { _ in pop(0.5) },
        SoftwareCase(name: "page dragged") { frame in pop(0.5 + 0.45 * sin(2 * .pi * Double(frame) / 90)) },
        SoftwareCase(name: "page dragged, a soft shadow") { frame in
            var list = pop(0.5 + 0.45 * sin(2 * .pi * Double(frame) / 90))
            list.items.append(shadow)
            return list
        },
        SoftwareCase(name: "dim over all") { _ in list([.fill(all, black)]) },
        SoftwareCase(name: "gradient over all") { _ in
            list([.box(BoxPlacement(destination: all, clip: all, gradient: ramp))])
        },
        SoftwareCase(name: "shadow") { _ in list([shadow]) },
        SoftwareCase(name: "shaded film") { _ in list([.surface(shaded)]) },
        SoftwareCase(name: "half opaque film") { _ in list([.surface(faded)]) },
        SoftwareCase(name: "image over all") { _ in
            list([.image(ImagePlacement(source: .image(ImageID(rawValue: 1)), destination: all, clip: all))])
        },
        SoftwareCase(name: "film scaled to 1280×720") { _ in list([.surface(video(small, clip: small))]) },
        SoftwareCase(name: "the same, with round corners") { _ in list([.surface(rounded)]) },
        SoftwareCase(name: "the same, turned") { _ in list([.surface(turned)]) },
        SoftwareCase(
            name: "film of 1280×720, changes only",
            list: { _ in
                list([.fill(all, .black), .surface(video(small, clip: small))])
            }, drawsChanges: true),
    ]
    let output = SoftwareMemoryOutput()
    let surface = { (id: SurfaceID) -> SoftwareSurface? in id == PopScene.video ? film : snapshot }
    print("software renderer, 1920×1080")
    for item in cases {
        var times: [Double] = []
        for frame in 0..<max(frames / 4, 30) {
            let list = item.list(frame)
            guard let buffer = try output.takeBuffer(size) else { fatalError("no buffer") }
            if item.drawsChanges { film.brightnessOffset = frame % 2 == 0 ? 0 : 1e-9 }
            let began = HostTime.now()
            if item.drawsChanges {
                output.show(buffer, changed: try renderer.drawChanges(of: list, into: buffer, surfaces: surface))
            } else {
                try renderer.draw(list, into: buffer, surfaces: surface)
                output.show(buffer, changed: nil)
            }
            times.append(milliseconds(.now() - began))
        }
        let (low, median, high) = (percentile(times, 0.05), percentile(times, 0.5), percentile(times, 0.95))
        let label = item.name.padding(toLength: 32, withPad: " ", startingAt: 0)
        print(String(format: "  %@ 5 %% %.3f ms, median %.3f ms, 95 %% %.3f ms", label, low, median, high))
    }
}
