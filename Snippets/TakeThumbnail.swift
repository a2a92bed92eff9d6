//! Takes a thumbnail from the middle of a film, and writes it to a PNG file.

import GlissadeGeometry
import GlissadeMedia
import GlissadePicture
import GlissadePlatform

let path = CommandLine.arguments.dropFirst().first ?? "Media/sample.mp4"
let target = CommandLine.arguments.dropFirst(2).first ?? "/dev/null"

var film = try ThumbnailSource(location: path, isInterrupted: { false })
guard let picture = film.picture(at: 0.5, .exact, fitting: PixelSize(width: 320, height: 180)) else {
    fatalError("nothing in \(path) can be decoded")
}
let png = try encodePNG(picture.pixels, size: picture.size, order: .bgra)
try OutputFile.write(png, to: target)
print("\(picture.size.width)x\(picture.size.height), mean brightness \(Int(picture.meanLuma)), \(png.count) bytes")
