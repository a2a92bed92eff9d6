//! Describes a decoded frame: what its planes hold, and which shape it has on the screen.

import Geometry
import Picture

// HDV in 10 bits (P010): the bits are the high ones of each word, U and V share a plane.
let format = PixelFormat(
    size: PixelSize(width: 1440, height: 1080), layout: .semiPlanar(vFirst: false), bitDepth: 10, isHighAligned: true)
for plane in 0..<format.planeCount {
    let size = format.planeSize(plane)
    print("plane \(plane): \(size.width)x\(size.height) texels of \(format.texelBytes(plane)) bytes")
}

// Its pixels are wider than high, and the camera was held upright.
let geometry = PixelGeometry(pixelAspect: 4.0 / 3, rotation: .quarter)
let shown = geometry.displaySize(of: format.size)
print("shown as \(shown.width)x\(shown.height)")
