import CYUV
import Motion
import Picture

/// Turns planes into a BGRA picture of the size at which it will be seen, on the CPU.
///
/// For machines whose OpenGL is a software rasterizer: there, a shader that filters three planes for every pixel costs
/// several times what SIMD code takes for the same picture, and does so on the frame loop's time. This runs on the video
/// decoder's thread. Memory is kept from frame to frame. Where a GPU draws, it is not used.
///
/// Steps: 8 bits a sample; the planes scaled (box filter downwards, bilinear upwards); chroma brought to luma's size by
/// bilinear interpolation from where its samples lie; the matrix. Scaling keeps chroma at its own resolution, which
/// moves its samples by a twelfth of a pixel at 3:2: below what is seen.
struct PictureResolver: ~Copyable {
    private let pool = PixelBufferPool()
    private var deep = ScratchPlanes()
    private var scaled = ScratchPlanes()
    private var across = ScratchPlanes()
    private var full = ScratchPlanes()

    init() {}

    /// Converts and scales; nil for a layout that it does not know, which is then drawn from its planes.
    mutating func resolve(_ picture: PictureView, to size: PixelSize) -> ResolvedPicture? {
        let format = picture.format
        guard !size.isEmpty, !format.isHighAligned || format.layout == .gray else { return nil }
        var source: Source
        switch format.layout {
        case .planar(let chroma):
            source = Source(picture, size: format.size, chroma: chroma)
        case .gray:
            source = Source(picture, size: format.size, chroma: nil)
        case .semiPlanar(let vFirst):
            guard format.bitDepth == 8 else { return nil }
            source = split(picture, vFirst: vFirst)
        case .rgb:
            return nil
        }
        if format.bitDepth > 8 { reduceDepth(&source, bitDepth: format.bitDepth) }
        if source.size != size { scale(&source, to: size) }

        let buffer = pool.take(byteCount: size.width * size.height * 4)
        let target = buffer.memory.assumingMemoryBound(to: UInt8.self)
        let (width, height, stride) = (CInt(size.width), CInt(size.height), CInt(size.width * 4))
        let constants = Self.constants(format)
        if source.chroma == nil {
            I400ToARGBMatrix(source.y.bytes, source.y.strideValue, target, stride, constants, width, height)
        } else {
            stretchBlue(&source, format)
            upsample(&source, siting: format.siting)
            I444ToARGBMatrix(
                source.y.bytes, source.y.strideValue, source.u.bytes, source.u.strideValue, source.v.bytes,
                source.v.strideValue, target, stride, constants, width, height)
        }
        return ResolvedPicture(buffer: buffer, size: size)
    }

    // MARK: - Steps

    /// The planes as one step hands them to the next.
    private struct Source {
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

    private mutating func split(_ picture: PictureView, vFirst: Bool) -> Source {
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

    private mutating func reduceDepth(_ source: inout Source, bitDepth: Int) {
        func reduce(_ plane: BytePlane, _ target: ScratchPlanes.Target) -> BytePlane {
            // libyuv's `Convert16To8Plane` cuts off where this rounds.
            let shift = UInt16(bitDepth - 8)
            let half: UInt16 = 1 << (shift - 1)
            for y in 0..<plane.size.height {
                let from = (plane.base + y * plane.stride).assumingMemoryBound(to: UInt16.self)
                let to = target.memory + y * Int(target.stride)
                for x in 0..<plane.size.width {
                    let sum = from[x] &+ half
                    // 16 bits may overflow, which is white like all else above 255.
                    to[x] = sum < half ? 255 : UInt8(truncatingIfNeeded: min(sum &>> shift, 255))
                }
            }
            return target.asPlane
        }
        source.y = reduce(source.y, deep.plane(0, source.y.size))
        guard source.chroma != nil else { return }
        source.u = reduce(source.u, deep.plane(1, source.u.size))
        source.v = reduce(source.v, deep.plane(2, source.v.size))
    }

    private static let largestStep = 8

    private mutating func scale(_ source: inout Source, to size: PixelSize) {
        func shrink(_ plane: BytePlane, _ target: ScratchPlanes.Target) -> BytePlane {
            ScalePlane(
                plane.bytes, plane.strideValue, CInt(plane.size.width), CInt(plane.size.height), target.memory,
                target.stride, CInt(target.size.width), CInt(target.size.height), kFilterBox)
            return target.asPlane
        }
        /// libyuv divides a box's sum in 16 bits: beyond some eight samples a side that darkens the picture visibly, so
        /// that larger steps are taken in several.
        func scale(_ plane: BytePlane, _ index: Int, to size: PixelSize) -> BytePlane {
            var plane = plane
            var step = index
            while plane.size.width > size.width * Self.largestStep || plane.size.height > size.height * Self.largestStep
            {
                step += 3
                let next = PixelSize(
                    width: max(size.width, plane.size.width / Self.largestStep),
                    height: max(size.height, plane.size.height / Self.largestStep))
                plane = shrink(plane, scaled.plane(step, next))
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

    /// Puts into the samples what libyuv leaves out: its factors stay below 2, too little for blue in BT.709 and BT.2020
    /// of limited range (2.112 and 2.142), up to 16 steps in saturated blue. Green, which gets it too, is off by less
    /// than 2.
    private mutating func stretchBlue(_ source: inout Source, _ format: PictureFormat) {
        guard format.range == .limited, format.matrix != .bt601 else { return }
        let stretch = (1 - format.matrix.weights.blue) * 2 * 255 / 224 / 2
        let table = (0..<256).map { UInt8(min(max((Double($0 - 128) * stretch).rounded() + 128, 0), 255)) }
        let target = deep.plane(3, source.u.size)
        for y in 0..<source.u.size.height {
            let (from, to) = (source.u.bytes + y * source.u.stride, target.memory + y * Int(target.stride))
            for x in 0..<source.u.size.width { to[x] = table[Int(from[x])] }
        }
        source.u = target.asPlane
    }

    /// Brings chroma to luma's size.
    private mutating func upsample(_ source: inout Source, siting: ChromaSiting) {
        guard let chroma = source.chroma, chroma != .full else { return }
        for index in 1...2 {
            let plane = index == 1 ? source.u : source.v
            let wide = doubleAcross(plane, index, isCentered: siting == .center)
            let result =
                chroma == .quarter
                ? doubleDown(
                    wide, full.plane(index, PixelSize(width: wide.size.width, height: plane.size.height * 2)),
                    isCentered: siting != .topLeft)
                : wide
            if index == 1 { source.u = result } else { source.v = result }
        }
    }

    /// Twice as wide: samples on the even columns and their means between, or, where they lie between the columns, each
    /// column three quarters of the nearer and one of the farther sample.
    private mutating func doubleAcross(_ plane: BytePlane, _ index: Int, isCentered: Bool) -> BytePlane {
        let size = plane.size
        let even = across.plane(index + 4, size)
        let odd = across.plane(index, size)
        let target = across.plane(index + 2, PixelSize(width: size.width * 2, height: size.height))
        let height = CInt(size.height)
        let inner = CInt(size.width - 1)
        let last = size.width - 1
        func blend(_ near: Int, _ far: Int, _ share: CInt, _ to: ScratchPlanes.Target, _ at: Int) {
            InterpolatePlane(
                plane.bytes + near, plane.strideValue, plane.bytes + far, plane.strideValue, to.memory + at, to.stride,
                inner, height, share)
        }
        if inner > 0 { blend(0, 1, isCentered ? 64 : 128, odd, 0) }
        CopyPlane(plane.bytes + last, plane.strideValue, odd.memory + last, odd.stride, 1, height)
        var evenPlane = plane
        if isCentered {
            if inner > 0 { blend(1, 0, 64, even, 1) }
            CopyPlane(plane.bytes, plane.strideValue, even.memory, even.stride, 1, height)
            evenPlane = even.asPlane
        }
        MergeUVPlane(
            evenPlane.bytes, evenPlane.strideValue, odd.memory, odd.stride, target.memory, target.stride,
            CInt(size.width), height)
        return target.asPlane
    }

    /// Twice as high, likewise.
    private func doubleDown(_ plane: BytePlane, _ target: ScratchPlanes.Target, isCentered: Bool) -> BytePlane {
        let width = CInt(plane.size.width)
        let rows = plane.size.height
        let inner = CInt(rows - 1)
        func blend(_ near: Int, _ far: Int, _ share: CInt, toRow row: Int) {
            InterpolatePlane(
                plane.bytes + near * plane.stride, plane.strideValue, plane.bytes + far * plane.stride,
                plane.strideValue, target.memory + row * Int(target.stride), target.stride * 2, width, inner, share)
        }
        func copy(_ from: Int, toRow row: Int, rows: CInt) {
            CopyPlane(
                plane.bytes + from * plane.stride, plane.strideValue, target.memory + row * Int(target.stride),
                target.stride * 2, width, rows)
        }
        if isCentered {
            copy(0, toRow: 0, rows: 1)
            if inner > 0 { blend(1, 0, 64, toRow: 2) }
        } else {
            copy(0, toRow: 0, rows: CInt(rows))
        }
        if inner > 0 { blend(0, 1, isCentered ? 64 : 128, toRow: 1) }
        copy(rows - 1, toRow: rows * 2 - 1, rows: 1)
        return target.asPlane
    }

    private static func constants(_ format: PictureFormat) -> OpaquePointer {
        switch (format.matrix, format.range) {
        case (.bt601, .limited): glissade_yuv_601_limited()
        case (.bt601, .full): glissade_yuv_601_full()
        case (.bt709, .limited): glissade_yuv_709_limited()
        case (.bt709, .full): glissade_yuv_709_full()
        case (.bt2020, .limited): glissade_yuv_2020_limited()
        case (.bt2020, .full): glissade_yuv_2020_full()
        }
    }
}
