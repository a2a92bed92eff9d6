//! Flattens a layer tree into display lists, and computes the area to redraw between two of them.

import GlissadeAnimation
import GlissadeGeometry
import GlissadeLayers

let root = Layer(frame: Rect(x: 0, y: 0, width: 640, height: 360), content: .color(.black))
let card = Layer(frame: Rect(x: 20, y: 20, width: 200, height: 120), content: .color(.white))
card.cornerRadius = 12
root.add(card)
card.animatedTranslation.animate(to: Point(x: 300, y: 0), now: .zero, duration: .seconds(1))

// The layer tree is 640 x 360 points, at two device pixels per point. It is flattened at the start of the animation
// and halfway.
var before = DisplayList(viewport: PixelSize(width: 1280, height: 720))
root.flatten(scale: 2, at: .zero, into: &before)
var after = DisplayList(viewport: before.viewport)
root.flatten(scale: 2, at: LocalTime(seconds: 0.5), into: &after)

for item in after.items { print(item) }
if let damage = after.damage(since: before, { _ in false }) {
    print("redraw \(damage.width)x\(damage.height) at \(damage.minX),\(damage.minY)")
}
