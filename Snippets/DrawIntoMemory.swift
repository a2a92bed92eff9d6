//! Draws a display list into memory on the CPU, and reads the pixels back.

import GlissadeGeometry
import GlissadeLayers
import GlissadePicture
import GlissadeRendering

let size = PixelSize(width: 64, height: 36)
let images = ImageCache()
let checker = images.newID()
let (bright, dark): ([UInt8], [UInt8]) = ([255, 255, 255, 255], [40, 40, 40, 255])
let cells = (0..<64).flatMap { cell in (cell + cell / 8) % 2 == 0 ? bright : dark }
try images.set(checker, Bitmap(size: PixelSize(width: 8, height: 8), pixels: cells))

var list = DisplayList(viewport: size)
let (all, box) = (PixelRect(size: size), PixelRect(minX: 4, minY: 4, maxX: 32, maxY: 32))
let sunset = Gradient(from: Color(red: 0.1, green: 0.1, blue: 0.4), to: Color(red: 0.9, green: 0.4, blue: 0.2))
list.items = [
    .box(BoxPlacement(destination: all, clip: all, gradient: sunset)),
    .image(ImagePlacement(source: .image(checker), destination: box, clip: all, cornerRadius: 6)),
]

let output = SoftwareMemoryOutput()
let renderer = SoftwareRenderer(output: output, images: images)
try renderer.draw(list) { _ in nil }
try renderer.present()

let pixels = output.readPixels()  // R, G, B, A bytes, top row first
for x in [0, 18, 63] {
    let first = (18 * size.width + x) * 4
    print("row 18, column \(x): \(pixels[first..<first + 3])")
}
