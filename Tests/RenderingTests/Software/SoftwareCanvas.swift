import Foundation
import GlissadeGeometry
import GlissadeLayers
import GlissadePicture
import GlissadeRendering
import Testing
import GlissadeTestSupport

/// Memory, and all that the software renderer needs to draw on it: as `Canvas`, without OpenGL.
@MainActor final class SoftwareCanvas {
    let size: PixelSize
    let output = SoftwareMemoryOutput()
    let renderer: SoftwareCompositor
    let surface = SoftwareSurface()

    init(_ width: Int, _ height: Int, images: ImageCache = ImageCache()) {
        size = PixelSize(width: width, height: height)
        renderer = SoftwareCompositor(images: images)
    }

    func upload(_ picture: TestPicture) throws {
        try picture.withView { view throws(RenderingError) in try surface.upload(view) }
    }

    func list(_ items: [DisplayList.Item], over background: Color? = .gray) -> DisplayList {
        var list = DisplayList(viewport: size)
        if let background { list.items.append(.fill(PixelRect(size: size), background)) }
        list.items += items
        return list
    }

    /// Draws `items` (the surface by any name) over mid gray.
    func draw(_ items: [DisplayList.Item], over background: Color? = .gray) throws -> Pixels {
        try draw(list(items, over: background)) { _ in surface }
    }

    func draw(
        _ list: DisplayList, part: PixelRect? = nil, surfaces: (SurfaceID) -> SoftwareSurface?
    ) throws -> Pixels {
        let buffer = try #require(try output.takeBuffer(size))
        try renderer.draw(list, into: buffer, part: part, surfaces: surfaces)
        output.show(buffer, changed: nil)
        return Pixels(size: size, bytes: output.readPixels())
    }

    /// Draws what has changed since what was drawn into the same buffer.
    func drawChanges(
        _ list: DisplayList, surfaces: (SurfaceID) -> SoftwareSurface?
    ) throws -> (pixels: Pixels, changed: PixelRect?) {
        let buffer = try #require(try output.takeBuffer(size))
        let changed = try renderer.drawChanges(of: list, into: buffer, surfaces: surfaces)
        output.show(buffer, changed: changed)
        return (Pixels(size: size, bytes: output.readPixels()), changed)
    }
}

extension Pixels {
    /// The largest difference of a component to another picture's.
    func largestDifference(_ other: Pixels) -> Int {
        var largest = 0
        for index in bytes.indices { largest = max(largest, abs(Int(bytes[index]) - Int(other.bytes[index]))) }
        return largest
    }

    /// How many components differ by more than so many levels.
    func differences(_ other: Pixels, above levels: Int) -> Int {
        bytes.indices.count { abs(Int(bytes[$0]) - Int(other.bytes[$0])) > levels }
    }

    /// The peak signal to noise ratio to another picture, or to a part of it, in decibels; alpha left out.
    func signalToNoise(_ other: Pixels, in part: PixelRect? = nil) -> Double {
        let part = part ?? PixelRect(size: size)
        var sum = 0
        for y in part.minY..<part.maxY {
            for at in (y * size.width + part.minX) * 4..<(y * size.width + part.maxX) * 4 where at % 4 != 3 {
                let difference = Int(bytes[at]) - Int(other.bytes[at])
                sum += difference * difference
            }
        }
        return sum == 0 ? .infinity : 10 * log10(255 * 255 / (Double(sum) / Double(part.width * part.height * 3)))
    }
}
