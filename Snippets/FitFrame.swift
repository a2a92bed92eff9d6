//! Fits a 16:9 film into a window, rounds its rectangle to whole pixels, and computes the bars that remain around it.

import GlissadeGeometry

let window = PixelRect(size: PixelSize(width: 1280, height: 800))
let bounds = Rect(origin: .zero, size: window.size.size)
let film = PixelRect(rounding: bounds.fitting(aspect: Size(width: 16, height: 9)))
print("film: \(film.width)x\(film.height) at \(film.minX),\(film.minY)")

var bars: [PixelRect] = []
window.subtract(film, into: &bars)
for bar in bars { print("bar: \(bar.width)x\(bar.height) at \(bar.minX),\(bar.minY)") }
