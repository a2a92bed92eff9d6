import CYUV
import Motion
import Picture

// How planes are brought into the form that the next step takes: apart, of 8 or 10 bits, and of the size wanted.

extension PictureResolver {
    /// The planes as one step hands them to the next.
    struct Source {
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

        init(_ picture: PictureView, size: PixelSize, chroma: ChromaSubsampling?) {
            func plane(_ index: Int) -> BytePlane {
                let plane = picture[plane: index]
                return BytePlane(base: plane.base, stride: plane.stride, size: picture.format.planeSize(index))
            }
            self.init(
                y: plane(0), u: plane(chroma == nil ? 0 : 1), v: plane(chroma == nil ? 0 : 2), size: size,
                chroma: chroma)
        }
    }

    mutating func split(_ picture: PictureView, vFirst: Bool) -> Source {
        let size = picture.format.planeSize(1)
        let interleaved = picture[plane: 1]
        let u = deep.plane(1, size)
        let v = deep.plane(2, size)
        SplitUVPlane(
            interleaved.base.assumingMemoryBound(to: UInt8.self), CInt(interleaved.stride),
            vFirst ? v.memory : u.memory, u.stride, vFirst ? u.memory : v.memory, v.stride, CInt(size.width),
            CInt(size.height))
        let luma = picture[plane: 0]
        return Source(
            y: BytePlane(base: luma.base, stride: luma.stride, size: picture.format.size), u: u.asPlane, v: v.asPlane,
            size: picture.format.size, chroma: .quarter)
    }

    // MARK: - Depth

    /// Eight bits a sample.
    mutating func reduceDepth(_ source: inout Source, from bitDepth: Int) {
        func reduce(_ plane: BytePlane, _ target: ScratchPlanes.Target) -> BytePlane {
            // libyuv's `Convert16To8Plane` cuts off where this rounds.
            let shift = UInt16(bitDepth - 8)
            let half: UInt16 = 1 << (shift - 1)
            for y in 0..<plane.size.height {
                let (from, to) = (plane.words(inRow: y), target.bytes(inRow: y))
                for x in 0..<plane.size.width {
                    // Cut before it is rounded, so that 16 bits do not overflow.
                    to[x] = UInt8(truncatingIfNeeded: min((min(from[x], 0xFFFF - half) &+ half) &>> shift, 255))
                }
            }
            return target.asPlane
        }
        source.y = reduce(source.y, deep.plane(0, source.y.size))
        guard source.chroma != nil else { return }
        source.u = reduce(source.u, deep.plane(1, source.u.size))
        source.v = reduce(source.v, deep.plane(2, source.v.size))
    }

    /// Ten bits a sample, of 9 or of more.
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

    // MARK: - Scaling

    /// libyuv's box filter, which it takes for large steps alone, cuts its sums off: gray gets darker and greenish. So
    /// planes are halved or quartered, which it rounds, until a bilinear step of less than two is left.
    private static func nextSize(_ size: PixelSize, to target: PixelSize) -> (size: PixelSize, crop: PixelSize)? {
        guard size.width > 2 * target.width || size.height > 2 * target.height else { return nil }
        let isFar = size.width > 4 * target.width && size.height > 4 * target.height
        let across = size.width > 2 * target.width ? (isFar ? 4 : 2) : 1
        let down = size.height > 2 * target.height ? (isFar ? 4 : 2) : 1
        let next = PixelSize(width: size.width / across, height: size.height / down)
        // An odd column or row is left out: libyuv takes whole steps only for what they divide.
        return (next, PixelSize(width: next.width * across, height: next.height * down))
    }

    mutating func scale(_ source: inout Source, to size: PixelSize) {
        func shrink(_ plane: BytePlane, _ target: ScratchPlanes.Target) -> BytePlane {
            ScalePlane(
                plane.bytes, plane.strideValue, CInt(plane.size.width), CInt(plane.size.height), target.memory,
                target.stride, CInt(target.size.width), CInt(target.size.height), kFilterBox)
            return target.asPlane
        }
        func scale(_ plane: BytePlane, _ index: Int, to size: PixelSize) -> BytePlane {
            var plane = plane
            var isOdd = false
            while let (next, crop) = Self.nextSize(plane.size, to: size) {
                plane.size = crop
                plane = shrink(plane, scaled.plane(index + (isOdd ? 6 : 3), next))
                isOdd.toggle()
            }
            return shrink(plane, scaled.plane(index, size))
        }
        source.size = size
        source.y = scale(source.y, 0, to: size)
        guard let chroma = source.chroma else { return }
        let chromaSize = PictureFormat(size: size, layout: .planar(chroma)).planeSize(1)
        source.u = scale(source.u, 1, to: chromaSize)
        source.v = scale(source.v, 2, to: chromaSize)
    }

    // MARK: - RGB

    /// An RGB picture, its bytes in a window's order and opaque. It is scaled plane by plane: what libyuv scales in one
    /// piece it darkens by a step or two.
    mutating func resolve(
        _ plane: PictureView.Plane, _ planeSize: PixelSize, _ order: PixelOrder, to size: PixelSize
    ) -> ResolvedPicture {
        let bytes = plane.base.assumingMemoryBound(to: UInt8.self)
        let (width, height) = (CInt(planeSize.width), CInt(planeSize.height))
        // The first, second and third byte of a pixel; what libyuv calls ARGB is B, G, R, A in memory.
        let (first, second, third) = (deep.plane(0, planeSize), deep.plane(1, planeSize), deep.plane(2, planeSize))
        SplitARGBPlane(
            bytes, CInt(plane.stride), third.memory, third.stride, second.memory, second.stride, first.memory,
            first.stride, nil, 0, width, height)
        let (blue, red) = order == .bgra ? (first, third) : (third, first)
        var source = Source(
            y: blue.asPlane, u: second.asPlane, v: red.asPlane, size: planeSize, chroma: .full)
        if source.size != size { scale(&source, to: size) }
        let picture = target(size)
        MergeARGBPlane(
            source.v.bytes, source.v.strideValue, source.u.bytes, source.u.strideValue, source.y.bytes,
            source.y.strideValue, nil, 0, picture.bytes, picture.stride, CInt(size.width), CInt(size.height))
        return picture
    }
}
