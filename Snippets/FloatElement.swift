//! Shows a layer in a floating window above all other windows, until the user closes it.

import GlissadeFloating
import GlissadeGeometry
import GlissadeLayers
import GlissadeNavigation
import GlissadePresentation
import GlissadeRendering
import GlissadeTime
import GlissadeWindowing

/// The floating element: a layer that changes its color every second.
final class Pulse: FloatingElement {
    let layer = Layer(content: .color(.white))
    let title = "Pulse"
    let redrawInterval: Duration? = .seconds(1)
    var onNeedsDisplay: (@MainActor () -> Void)?

    func advance(to now: HostTime) -> Bool {
        let isOdd = now.nanoseconds / 1_000_000_000 % 2 == 1
        layer.content = .color(Color(red: isOdd ? 0.9 : 0.2, green: 0.4, blue: 0.5))
        return true
    }
}

/// A program that shows only the floating window. Its main window is never shown.
final class Program: FrameLoopClient {
    let floating: FloatingWindow
    init(_ floating: FloatingWindow) { self.floating = floating }

    var secondaryWindows: [any FrameLoopWindow] { [floating] }
    var demand: LoopDemand { LoopDemand(isFinished: floating.element == nil) }
    func handle(_ event: WindowEvent, now: HostTime) {}
    func advance(to now: HostTime) {}
    func nextWake(now: HostTime) -> HostTime? { nil }
    func compose(_ list: inout DisplayList, scale: Double, visibleAt time: HostTime) {}
    func videoTarget(for surface: SurfaceID) -> (any VideoTarget)? { nil }
    func didPresent(at time: HostTime) {}
}

let main = try Window(WindowOptions(size: Size(width: 320, height: 180)))
let renderer = GLRenderer(Compositor(device: try GLDevice()))
let floating = try FloatingWindow(sharing: main, renderer: renderer) { _ in nil }
floating.onClose = { _ in floating.close() }
floating.open(Pulse(), area: nil, beside: main)
try FrameLoop(surface: main, renderer: renderer, client: Program(floating), log: FrameLog()).run()
