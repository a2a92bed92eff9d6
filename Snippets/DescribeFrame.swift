//! Describes a decoded frame: the contents of its planes, and its shape on screen.

import GlissadeGeometry
import GlissadePicture

// 10-bit anamorphic HD (P010): each sample is in the high bits of a 16-bit word, and U and V share a plane.
let format = PixelFormat(
    size: PixelSize(width: 1440, height: 1080), layout: .semiPlanar(vFirst: false), bitDepth: 10, isHighAligned: true)
for plane in 0..<format.planeCount {
    let size = format.planeSize(plane)
    print("plane \(plane): \(size.width)x\(size.height) texels of \(format.texelBytes(plane)) bytes")
}

// The pixels are wider than high, and the camera was held upright.
let geometry = PixelGeometry(pixelAspect: 4.0 / 3, rotation: .quarter)
let shown = geometry.displaySize(of: format.size)
print("shown as \(shown.width)x\(shown.height)")
