import GlissadeCYUV
package import GlissadeGeometry
package import GlissadePicture

// Unpacks planes and changes their depth to 8 or 10 bits, as the next step requires.

extension PixelConverter {
    /// The planes passed from one conversion step to the next.
    package struct Source {
        var y: BytePlane
        var u: BytePlane
        var v: BytePlane
        var size: PixelSize
        var chroma: ChromaSubsampling?

        init(y: BytePlane, u: BytePlane, v: BytePlane, size: PixelSize, chroma: ChromaSubsampling?) {
            self.y = y
            self.u = u
            self.v = v
            self.size = size
            self.chroma = chroma
        }

        /// Takes the planes of a frame that has either three separate planes or a single plane.
        init(_ picture: PixelView) {
            var chroma: ChromaSubsampling?
            if case .planar(let subsampling) = picture.format.layout { chroma = subsampling }
            func plane(_ index: Int) -> BytePlane {
                let plane = picture[plane: index]
                return BytePlane(base: plane.base, stride: plane.stride, size: picture.format.planeSize(index))
            }
            self.init(
                y: plane(0), u: plane(chroma == nil ? 0 : 1), v: plane(chroma == nil ? 0 : 2),
                size: picture.format.size, chroma: chroma)
        }
    }

    package mutating func split(_ picture: PixelView, vFirst: Bool) -> Source {
        let size = picture.format.planeSize(1)
        let interleaved = picture[plane: 1]
        let u = scratch.plane(1, size)
        let v = scratch.plane(2, size)
        SplitUVPlane(
            interleaved.base.assumingMemoryBound(to: UInt8.self), CInt(interleaved.stride),
            vFirst ? v.memory : u.memory, u.stride, vFirst ? u.memory : v.memory, v.stride, CInt(size.width),
            CInt(size.height))
        let luma = picture[plane: 0]
        return Source(
            y: BytePlane(base: luma.base, stride: luma.stride, size: picture.format.size), u: u.asPlane, v: v.asPlane,
            size: picture.format.size, chroma: .quarter)
    }

    /// Copies 16-bit samples to separate planes, and moves their significant bits to the low end.
    mutating func unpacked(_ picture: PixelView) -> Source {
        let format = picture.format
        let shift = UInt16(format.isHighAligned ? 16 - format.bitDepth : 0)
        func copy(_ index: Int, part: Int, of parts: Int, _ target: ScratchPlanes.Target) -> BytePlane {
            let plane = BytePlane(
                base: picture[plane: index].base, stride: picture[plane: index].stride, size: target.size)
            for y in 0..<target.size.height {
                let (from, to) = (plane.words(inRow: y) + part, target.words(inRow: y))
                for x in 0..<target.size.width { to[x] = from[x * parts] &>> shift }
            }
            return target.asPlane
        }
        // The next steps use scratch planes 0…2.
        let y = copy(0, part: 0, of: 1, scratch.plane(3, format.size, sampleBytes: 2))
        switch format.layout {
        case .gray, .rgb:
            return Source(y: y, u: y, v: y, size: format.size, chroma: nil)
        case .planar(let chroma):
            let u = copy(1, part: 0, of: 1, scratch.plane(4, format.planeSize(1), sampleBytes: 2))
            let v = copy(2, part: 0, of: 1, scratch.plane(5, format.planeSize(2), sampleBytes: 2))
            return Source(y: y, u: u, v: v, size: format.size, chroma: chroma)
        case .semiPlanar(let vFirst):
            let u = copy(1, part: vFirst ? 1 : 0, of: 2, scratch.plane(4, format.planeSize(1), sampleBytes: 2))
            let v = copy(1, part: vFirst ? 0 : 1, of: 2, scratch.plane(5, format.planeSize(1), sampleBytes: 2))
            return Source(y: y, u: u, v: v, size: format.size, chroma: .quarter)
        }
    }

    // MARK: - Depth

    /// Rounds the samples of `source` from `bitDepth` bits, 9…16, to 8 bits.
    mutating func reduceDepth(_ source: inout Source, from bitDepth: Int) {
        func reduce(_ plane: BytePlane, _ target: ScratchPlanes.Target) -> BytePlane {
            // libyuv's `Convert16To8Plane` truncates instead of rounding.
            let shift = UInt16(bitDepth - 8)
            let half: UInt16 = 1 << (shift - 1)
            for y in 0..<plane.size.height {
                let (from, to) = (plane.words(inRow: y), target.bytes(inRow: y))
                for x in 0..<plane.size.width {
                    // Clamped before rounding, so that 16 bits do not overflow.
                    to[x] = UInt8(truncatingIfNeeded: min((min(from[x], 0xFFFF - half) &+ half) &>> shift, 255))
                }
            }
            return target.asPlane
        }
        source.y = reduce(source.y, scratch.plane(0, source.y.size))
        guard source.chroma != nil else { return }
        source.u = reduce(source.u, scratch.plane(1, source.u.size))
        source.v = reduce(source.v, scratch.plane(2, source.v.size))
    }

    /// Converts the samples of a plane from `bitDepth` bits, 9…16, to 10 bits.
    func toTenBits(_ plane: BytePlane, from bitDepth: Int, _ target: ScratchPlanes.Target) -> BytePlane {
        let up = UInt16(max(0, 10 - bitDepth))
        let down = UInt16(max(0, bitDepth - 10))
        let half: UInt16 = down > 0 ? 1 << (down - 1) : 0
        for y in 0..<plane.size.height {
            let (from, to) = (plane.words(inRow: y), target.words(inRow: y))
            for x in 0..<plane.size.width {
                to[x] = min(((min(from[x], 0xFFFF - half) &+ half) &>> down) &<< up, 1023)
            }
        }
        return target.asPlane
    }

    // MARK: - RGB

    /// Converts an RGB frame to opaque BGRA at `size`. Each color is scaled as a separate plane, because libyuv's
    /// scaling of packed pixels darkens colors by one or two steps of 1/255.
    package mutating func convert(
        _ plane: PixelView.Plane, _ planeSize: PixelSize, _ order: PixelOrder, to size: PixelSize
    ) -> ConvertedPicture {
        let bytes = plane.base.assumingMemoryBound(to: UInt8.self)
        // Rows are split into colors as they are needed, into memory for only a few rows. The whole frame is split only
        // if its planes must be reduced first: the page faults of whole planes take longer than the conversion.
        let most = RowScaler.Sampling.largestStep
        let isReduced =
            Double(planeSize.width) / Double(size.width) > most || Double(planeSize.height) / Double(size.height) > most
        let keptRows = isReduced ? planeSize.height : min(Self.keptRows, planeSize.height)
        let scratchSize = PixelSize(width: planeSize.width, height: keptRows)
        // The planes of each pixel's first, second and third byte. libyuv's ARGB is B, G, R, A in memory.
        let (first, second, third) = (
            scratch.plane(0, scratchSize), scratch.plane(1, scratchSize), scratch.plane(2, scratchSize)
        )
        func split(_ y: Int, count: Int) {
            let kept = y % keptRows
            SplitARGBPlane(
                bytes + y * plane.stride, CInt(plane.stride), third.bytes(inRow: kept), third.stride,
                second.bytes(inRow: kept), second.stride, first.bytes(inRow: kept), first.stride, nil, 0,
                CInt(planeSize.width), CInt(count))
        }
        func color(_ target: ScratchPlanes.Target) -> BytePlane {
            BytePlane(
                base: UnsafeRawPointer(target.memory), stride: Int(target.stride), size: planeSize,
                keptRows: isReduced ? nil : keptRows)
        }
        if isReduced { split(0, count: planeSize.height) }
        let (blue, red) = order == .bgra ? (first, third) : (third, first)
        let source = Source(y: color(blue), u: color(second), v: color(red), size: planeSize, chroma: .full)
        beginRows(source, siting: .center, to: size)
        let picture = target(size)
        var splitCount = 0
        for y in 0..<size.height {
            if !isReduced {
                let needed = rows.y.planeRows(for: y)
                for row in max(needed.lowerBound, splitCount)..<max(needed.upperBound + 1, splitCount) {
                    split(row, count: 1)
                }
                splitCount = max(splitCount, needed.upperBound + 1)
            }
            MergeARGBPlane(
                rows.v.row(y), 0, rows.u.row(y), 0, rows.y.row(y), 0, nil, 0, picture.bytes(inRow: y), 0,
                CInt(size.width), 1)
        }
        return picture
    }

    /// The number of rows of each color that are kept while an RGB frame is converted. An output row needs at most two.
    private static let keptRows = 4
}
