import GlissadeCGLES
import Foundation
import GlissadeGeometry
import GlissadeLayers
import GlissadePicture
import GlissadePlatform
import GlissadePresentation
import GlissadeRendering
import GlissadeTime
import GlissadeWindowing

// Measures how long a page takes to draw while it is dragged, compared to when it is at rest. The times are medians,
// and include glFinish. The cases alternate within one run, so that other load on the machine affects all of them
// alike.
//
//     compositor-benchmark [--frames N] [--cold] [--paced] [--software]
//
// --cold      Touches as much memory before each frame as decoding one does, so that caches hold little of what is
//             drawn.
// --paced     Sleeps before each frame, like a window that waits for its display.
// --software  Measures only the software renderer, at 1920×1080.

let arguments = CommandLine.arguments
let frames = arguments.firstIndex(of: "--frames").flatMap { arguments.dropFirst($0 + 1).first.flatMap(Int.init) } ?? 600
let size = PixelSize(width: 1280, height: 720)

/// A frame of random pixels, which no optimization can shorten.
func noise(seed: UInt32, of size: PixelSize = size) -> [UInt32] {
    var state = seed
    return [UInt32](unsafeUninitializedCapacity: size.width * size.height) { buffer, count in
        for index in 0..<size.width * size.height {
            state = state &* 1_664_525 &+ 1_013_904_223
            buffer[index] = state | 0xFF00_0000
        }
        count = size.width * size.height
    }
}

@MainActor func upload(_ pixels: [UInt32], to texture: VideoTexture) throws {
    try pixels.withUnsafeBytes { bytes in
        let format = PixelFormat(size: size, layout: .rgb(.rgba))
        // The pointer is valid during the call, and the array is not empty.
        try texture.upload(PixelView(format: format, .init(base: bytes.baseAddress!, stride: size.width * 4)))
    }
}

@MainActor func measure(_ surface: any DrawableSurface, name: String) throws {
    surface.makeCurrent()
    let device = try GLDevice()
    let compositor = Compositor(device: device)
    let renderer = GLRenderer(compositor)
    let scene = PopScene(size: size)
    let textures = PopTextures(video: VideoTexture(device: device), snapshot: VideoTexture(device: device))
    let film = noise(seed: 1)
    try upload(film, to: textures.video)
    try upload(noise(seed: 2), to: textures.snapshot)
    let captured = VideoTexture(device: device)
    try compositor.capture(scene.rest, into: captured, surfaces: textures.texture(for:))
    let began = HostTime.now()
    try compositor.capture(scene.rest, into: captured, surfaces: textures.texture(for:))
    glFinish()
    print(String(format: "%@: capture %.2f ms, %@", name, milliseconds(.now() - began), device.renderer))

    let cases: [(String, ((Int) -> Double)?)] = [
        ("rest", nil), ("p = 0.1", { _ in 0.1 }), ("p = 0.4", { _ in 0.4 }), ("p = 0.8", { _ in 0.8 }),
        ("swinging", { frame in 0.5 + 0.45 * sin(2 * .pi * Double(frame) / 90) }),
    ]
    var times = [[Double]](repeating: [], count: cases.count)
    var timesWithUpload = times
    var other = [UInt64](repeating: 0, count: 2 << 20)
    var list = scene.rest
    let rest = scene.rest
    // Each case runs in blocks of 30 frames, so that caches are warm, as in the program. The first frame of a block
    // is not counted.
    for block in 0..<(frames / 30 * cases.count) {
        let index = block % cases.count
        for step in 0..<30 {
            if let progress = cases[index].1 {
                scene.pop(progress(block / cases.count * 30 + step), into: &list)
            } else {
                list.items = rest.items
            }
            if arguments.contains("--cold") {
                for word in stride(from: 0, to: other.count, by: 8) { other[word] &+= 1 }
            }
            if arguments.contains("--paced") { usleep(14_000) }
            // Uploads a frame, as while a film plays.
            let uploadBegan = HostTime.now()
            try upload(film, to: textures.video)
            let began = HostTime.now()
            try compositor.draw(list, surfaces: textures.texture(for:))
            glFinish()
            let ended = HostTime.now()
            if step > 0 {
                times[index].append(milliseconds(ended - began))
                timesWithUpload[index].append(milliseconds(ended - uploadBegan))
            }
            try renderer.present()
        }
    }
    let (atRest, withUpload) = (percentile(times[0], 0.5), percentile(timesWithUpload[0], 0.5))
    for (index, item) in cases.enumerated() {
        let (median, high) = (percentile(times[index], 0.5), percentile(times[index], 0.95))
        let label = item.0.padding(toLength: 10, withPad: " ", startingAt: 0)
        print(
            String(
                format: "  %@ median %.3f ms, 95 %% %.3f ms, %.2f of rest; with the film's upload %.2f of rest", label,
                median, high, median / atRest, percentile(timesWithUpload[index], 0.5) / withUpload))
    }
}

func milliseconds(_ duration: Duration) -> Double { duration / .milliseconds(1) }

func percentile(_ values: [Double], _ fraction: Double) -> Double {
    let sorted = values.sorted()
    return sorted[min(Int(Double(sorted.count) * fraction), sorted.count - 1)]
}

try measureSoftware()
if arguments.contains("--software") { exit(0) }
try measure(OffscreenSurface(size: size), name: "offscreen")
if ProcessInfo.processInfo.environment["DISPLAY"] != nil {
    let window = try Window(WindowOptions(size: size.size))
    window.show()
    var events: [WindowEvent] = []
    for _ in 0..<20 {
        window.wait(until: .now() + .milliseconds(10))
        window.drainEvents(into: &events)
    }
    try measure(window, name: "window")
}
