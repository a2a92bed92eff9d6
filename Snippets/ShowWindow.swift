//! Shows a window that OpenGL draws into, until the user closes it.

import GlissadeGeometry
import GlissadeLayers
import GlissadePresentation
import GlissadeRendering
import GlissadeWindowing

let window = try Window(WindowOptions(title: "Snippet", size: Size(width: 480, height: 270)))
let renderer = GLRenderer(Compositor(device: try GLDevice()))
window.show()

var events: [WindowEvent] = []
while !events.contains(.closeRequested) {
    if window.isVisible {
        var list = DisplayList(viewport: window.pixelSize, scale: window.scale)
        list.items = [.fill(PixelRect(size: window.pixelSize), Color(red: 0.1, green: 0.3, blue: 0.5))]
        try renderer.draw(list) { _ in nil }
        try renderer.present()
        window.frameWasShown()
    }
    events.removeAll()
    window.wait(until: nil)
    window.drainEvents(into: &events)
}
