import Geometry
import Layers

/// Surfaces: video frames and captures.
extension Painter {
    /// The color adjustment of a frame.
    private struct Adjustment {
        /// The levels to add, out of 255, and the factor to apply then, in 256ths.
        var brightnessOffset: Int
        var gain: Int

        var isIdentity: Bool { brightnessOffset == 0 && gain == 256 }
    }

    /// - Parameters:
    ///   - picture: The surface's frame.
    ///   - brightnessOffset: Added to its levels, out of 255.
    ///   - clip: The part to draw, inside the target, and inside `destination` unless the frame is rotated.
    func draw(
        _ picture: Raster, brightnessOffset: Int, _ placement: SurfacePlacement, destination: PixelRect, clip: PixelRect
    ) {
        let adjustment = Adjustment(brightnessOffset: brightnessOffset, gain: Self.gain(shade: placement.validShade))
        let radius = Corner(placement.cornerRadius, of: destination).radius
        let opacity = Self.level(placement.opacity)
        guard opacity > 0, placement.quarterTurns.isFinite else { return }
        let outline = Outline(destination, radius: radius, quarterTurns: placement.quarterTurns)
        let map = PictureMap(
            destination: destination, quarterTurns: placement.quarterTurns, rotation: placement.rotation,
            picture: picture.size)
        if placement.quarterTurns != 0 {
            return drawTurned(picture, map, adjustment, clip, outline: outline, opacity: opacity)
        }
        let pieces = RoundPieces(destination, radius: radius)
        pieces.forEachFull(in: clip) { piece in
            if placement.opacity >= 1 {
                render(picture, map, adjustment, destination, piece)
            } else {
                composite(picture, map, adjustment, destination, on: piece, mask: .even(opacity))
            }
        }
        guard radius > 0 else { return }
        pieces.forEachCorner(in: clip) {
            composite(picture, map, adjustment, destination, on: $0, mask: .outline(outline, opacity))
        }
    }

    /// Draws `part` of the frame, opaque, onto the target.
    private func render(
        _ picture: Raster, _ map: PictureMap, _ adjustment: Adjustment, _ destination: PixelRect, _ part: PixelRect
    ) {
        if adjustment.isIdentity { return render(picture, map, destination, part, onto: target, x: 0, y: 0) }
        // Changes the brightness a few rows at a time, while they are in the cache.
        forEachBand(of: part) { rows in
            render(picture, map, destination, rows, onto: target, x: 0, y: 0)
            change(target, rows, adjustment)
        }
    }

    /// Composites `part` of the frame onto the target.
    private func composite(
        _ picture: Raster, _ map: PictureMap, _ adjustment: Adjustment, _ destination: PixelRect, on part: PixelRect,
        mask: Mask
    ) {
        if adjustment.isIdentity, map.isOneToOne, map.isUpright {
            return composite(.image(picture.image, x: destination.minX, y: destination.minY), on: part, mask: mask)
        }
        forEachBand(of: part) { rows in
            let local = PixelRect(size: rows.size)
            render(picture, map, destination, rows, onto: band, x: rows.minX, y: rows.minY)
            change(band, local, adjustment)
            composite(band, over: rows, mask: mask)
        }
    }

    private func change(_ raster: Raster, _ rect: PixelRect, _ adjustment: Adjustment) {
        if adjustment.brightnessOffset != 0 { raster.offsetBrightness(of: rect, by: adjustment.brightnessOffset) }
        if adjustment.gain < 256 { raster.darken(rect, leaving: adjustment.gain) }
    }

    /// Renders `part` of an upright or quarter-rotated frame into a raster whose first pixel is (`x`, `y`) of the target.
    private func render(
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
        _ picture: Raster, _ map: PictureMap, _ adjustment: Adjustment, _ clip: PixelRect, outline: Outline,
        opacity: UInt8
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
                change(band, line, adjustment)
            }
            if isSeen { composite(band, over: rows, mask: .outline(outline, opacity)) }
        }
    }
}
