import GlissadeGeometry
import GlissadeLayers

/// Drawing of surfaces, which are video frames and captures.
extension Painter {
    /// A frame of a surface, where it is drawn, and how its colors are adjusted.
    private struct PlacedFrame {
        var picture: Raster
        /// The rectangle of the whole frame in the target, before a rotation by `quarterTurns`.
        var destination: PixelRect
        var map: PictureMap
        var adjustment: Adjustment

        /// Whether the frame is drawn without scaling, rotation or mirroring.
        var isCopy: Bool { map.isUpright && map.isOneToOne }
    }

    /// The color adjustment of a frame. The offset is added first; the sum is then multiplied by the gain.
    private struct Adjustment {
        /// The number added to red, green and blue, -255…255.
        var brightnessOffset: Int
        /// The factor for red, green and blue, in 256ths.
        var gain: Int

        var isIdentity: Bool { brightnessOffset == 0 && gain == 256 }
    }

    /// Draws the frame of a surface, with the rotation, rounded corners, shade and opacity of `placement`.
    ///
    /// - Parameters:
    ///   - picture: The frame of the surface.
    ///   - brightnessOffset: The number to add to red, green and blue, -255…255.
    ///   - clip: The area to draw, inside the target. It must also be inside `destination`, unless the frame is
    ///     rotated by `quarterTurns`.
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
            isMirrored: placement.isMirrored, picture: picture.size)
        let frame = PlacedFrame(picture: picture, destination: destination, map: map, adjustment: adjustment)
        if placement.quarterTurns != 0 { return drawTurned(frame, clip, outline: outline, opacity: opacity) }
        let pieces = RoundPieces(destination, radius: radius)
        pieces.forEachFull(in: clip) { piece in
            if placement.opacity >= 1 {
                render(frame, piece)
            } else {
                composite(frame, on: piece, mask: .even(opacity))
            }
        }
        guard radius > 0 else { return }
        pieces.forEachCorner(in: clip) { composite(frame, on: $0, mask: .outline(outline, opacity)) }
    }

    /// Draws the part of the frame that is inside the rectangle `part` of the target, without blending.
    private func render(_ frame: PlacedFrame, _ part: PixelRect) {
        if frame.adjustment.isIdentity { return render(frame, part, onto: target, x: 0, y: 0) }
        // Adjusts the color a few rows at a time, while they are in the cache.
        forEachBand(of: part) { rows in
            render(frame, rows, onto: target, x: 0, y: 0)
            change(target, rows, frame.adjustment)
        }
    }

    /// Composites the part of the frame that is inside the rectangle `part` onto the target, through `mask`.
    private func composite(_ frame: PlacedFrame, on part: PixelRect, mask: Mask) {
        if frame.adjustment.isIdentity, frame.isCopy {
            let (x, y) = (frame.destination.minX, frame.destination.minY)
            return composite(.image(frame.picture.image, x: x, y: y), on: part, mask: mask)
        }
        forEachBand(of: part) { rows in
            let local = PixelRect(size: rows.size)
            render(frame, rows, onto: band, x: rows.minX, y: rows.minY)
            change(band, local, frame.adjustment)
            composite(band, over: rows, mask: mask)
        }
    }

    private func change(_ raster: Raster, _ rect: PixelRect, _ adjustment: Adjustment) {
        if adjustment.brightnessOffset != 0 { raster.offsetBrightness(of: rect, by: adjustment.brightnessOffset) }
        if adjustment.gain < 256 { raster.darken(rect, leaving: adjustment.gain) }
    }

    /// Renders the part of the frame that is inside the rectangle `part` of the target into `raster`. Does not adjust
    /// the colors. The first pixel of `raster` corresponds to (`x`, `y`) in the target. The frame must not be rotated
    /// by `quarterTurns`.
    private func render(_ frame: PlacedFrame, _ part: PixelRect, onto raster: Raster, x: Int, y: Int) {
        let (picture, destination, map) = (frame.picture, frame.destination, frame.map)
        let rect = part.moved(-x, -y)
        if frame.isCopy {
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

    private func drawTurned(_ frame: PlacedFrame, _ clip: PixelRect, outline: Outline, opacity: UInt8) {
        let map = frame.map
        forEachBand(of: clip) { rows in
            var isSeen = false
            for row in rows.minY..<rows.maxY {
                let reach = outline.reach(row: row, in: rows.minX..<rows.maxX)
                if reach.isEmpty { continue }
                isSeen = true
                let columns = reach.lowerBound - rows.minX..<reach.upperBound - rows.minX
                band.sample(
                    frame.picture, row: row - rows.minY, columns: columns,
                    from: map.position(Double(reach.lowerBound) + 0.5, Double(row) + 0.5), step: map.across)
                let line = PixelRect(
                    minX: columns.lowerBound, minY: row - rows.minY, maxX: columns.upperBound,
                    maxY: row - rows.minY + 1)
                change(band, line, frame.adjustment)
            }
            if isSeen { composite(band, over: rows, mask: .outline(outline, opacity)) }
        }
    }
}
