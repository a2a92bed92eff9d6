import Geometry
import Layers

/// Surfaces: video frames and captures.
extension Painter {
    /// The color adjustment of a frame.
    private struct Look {
        /// The levels of 255 to add, and the factor to apply then, in 256ths.
        var brightnessOffset: Int
        var gain: Int

        var isPlain: Bool { brightnessOffset == 0 && gain == 256 }
    }

    /// - Parameters:
    ///   - picture: The surface's frame.
    ///   - brightnessOffset: Added to its levels of 255.
    ///   - clip: The part to draw, inside the target, and inside `destination` unless the frame is turned.
    func draw(
        _ picture: Raster, brightnessOffset: Int, _ placement: SurfacePlacement, destination: PixelRect, clip: PixelRect
    ) {
        let look = Look(brightnessOffset: brightnessOffset, gain: Self.gain(shade: placement.validShade))
        let radius = Corner(placement.cornerRadius, of: destination).radius
        let opacity = Self.level(placement.opacity)
        guard opacity > 0, placement.turn.isFinite else { return }
        let outline = Outline(destination, radius: radius, turn: placement.turn)
        let map = PictureMap(
            destination: destination, turn: placement.turn, rotation: placement.rotation, picture: picture.size)
        if placement.turn != 0 {
            return drawTurned(picture, map, look, clip, outline: outline, opacity: opacity)
        }
        let pieces = RoundPieces(destination, radius: radius)
        pieces.forEachFull(in: clip) { piece in
            if placement.opacity >= 1 {
                put(picture, map, look, destination, piece)
            } else {
                lay(picture, map, look, destination, on: piece, mask: .even(opacity))
            }
        }
        guard radius > 0 else { return }
        pieces.forEachCorner(in: clip) {
            lay(picture, map, look, destination, on: $0, mask: .outline(outline, opacity))
        }
    }

    /// Draws `part` of the frame, opaque, onto the target.
    private func put(_ picture: Raster, _ map: PictureMap, _ look: Look, _ destination: PixelRect, _ part: PixelRect) {
        if look.isPlain { return put(picture, map, destination, part, onto: target, x: 0, y: 0) }
        // A few rows are still in the cache when their brightness is changed.
        forEachBand(of: part) { rows in
            put(picture, map, destination, rows, onto: target, x: 0, y: 0)
            change(target, rows, look)
        }
    }

    /// Composites `part` of the frame onto the target.
    private func lay(
        _ picture: Raster, _ map: PictureMap, _ look: Look, _ destination: PixelRect, on part: PixelRect, mask: Mask
    ) {
        if look.isPlain, map.isOneToOne, map.isUpright {
            return lay(.image(picture.image, x: destination.minX, y: destination.minY), on: part, mask: mask)
        }
        forEachBand(of: part) { rows in
            let local = PixelRect(size: rows.size)
            put(picture, map, destination, rows, onto: band, x: rows.minX, y: rows.minY)
            change(band, local, look)
            lay(band, over: rows, mask: mask)
        }
    }

    private func change(_ raster: Raster, _ rect: PixelRect, _ look: Look) {
        if look.brightnessOffset != 0 { raster.brightnessOffset(rect, by: look.brightnessOffset) }
        if look.gain < 256 { raster.darken(rect, leaving: look.gain) }
    }

    /// Copies `part` of a frame that is not turned to a raster whose first pixel is at (`x`, `y`) of the target.
    private func put(
        _ picture: Raster, _ map: PictureMap, _ destination: PixelRect, _ part: PixelRect, onto raster: Raster,
        x: Int, y: Int
    ) {
        let rect = part.moved(-x, -y)
        if map.isUpright, map.isOneToOne {
            return raster.copy(
                rect, from: picture, x: part.minX - destination.minX, y: part.minY - destination.minY)
        }
        if map.isUpright || map.isOneToOne {
            return raster.image.draw(.replace, picture.placed(map, from: part), to: rect)
        }
        for row in part.minY..<part.maxY {
            raster.sample(
                picture, row: row - y, columns: rect.minX..<rect.maxX,
                from: map.position(Double(part.minX) + 0.5, Double(row) + 0.5), step: map.across)
        }
    }

    private func drawTurned(
        _ picture: Raster, _ map: PictureMap, _ look: Look, _ clip: PixelRect, outline: Outline, opacity: UInt8
    ) {
        forEachBand(of: clip) { rows in
            var isSeen = false
            for row in rows.minY..<rows.maxY {
                let reach = outline.reach(row: row, in: rows.minX..<rows.maxX)
                if reach.isEmpty { continue }
                isSeen = true
                let columns = reach.lowerBound - rows.minX..<reach.upperBound - rows.minX
                band.sample(
                    picture, row: row - rows.minY, columns: columns,
                    from: map.position(Double(reach.lowerBound) + 0.5, Double(row) + 0.5), step: map.across)
                let line = PixelRect(
                    minX: columns.lowerBound, minY: row - rows.minY, maxX: columns.upperBound,
                    maxY: row - rows.minY + 1)
                change(band, line, look)
            }
            if isSeen { lay(band, over: rows, mask: .outline(outline, opacity)) }
        }
    }
}
