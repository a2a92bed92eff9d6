import CYUV
import Motion
import Picture

// Chroma of 8 bits at luma's size, by libyuv's blending of whole planes. Deeper samples: `DeepChroma`.

extension PictureResolver {
    /// Brings chroma to luma's size, which both were scaled to from `original`.
    mutating func upsample(_ source: inout Source, siting: ChromaSiting, from original: PixelSize) {
        guard let chroma = source.chroma, chroma != .full else { return }
        let across = siting == .center ? Self.middle : Self.offset(from: original.width, to: source.size.width)
        let down = siting == .topLeft ? Self.offset(from: original.height, to: source.size.height) : Self.middle
        for index in 1...2 {
            let plane = index == 1 ? source.u : source.v
            // What is only on its way down is the same memory for both.
            let wide = doubleAcross(plane, chroma == .quarter ? 1 : index, offset: across)
            let result =
                chroma == .quarter
                ? doubleDown(
                    wide, full.plane(index, PixelSize(width: wide.size.width, height: plane.size.height * 2)),
                    offset: down)
                : wide
            if index == 1 { source.u = result } else { source.v = result }
        }
    }

    /// Where a chroma sample lies, in 128ths of a luma sample from the first of the two that it serves: in their middle.
    private static let middle: CInt = 64

    /// The same for one that lay on the first before it was scaled: the smaller the picture, the nearer to the middle,
    /// which is what scaling keeps in its place. (One that moves out of its block, where a picture is enlarged, is left on
    /// its edge.)
    private static func offset(from original: Int, to size: Int) -> CInt {
        CInt(max(0, 64 - 64 * size / original))
    }

    /// Twice as wide: samples on the even columns and their means between, or, where they lie in the middle, each column
    /// three quarters of the nearer and one of the farther sample.
    private mutating func doubleAcross(_ plane: BytePlane, _ index: Int, offset: CInt) -> BytePlane {
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
        if inner > 0 { blend(0, 1, 128 - offset, odd, 0) }
        CopyPlane(plane.bytes + last, plane.strideValue, odd.memory + last, odd.stride, 1, height)
        var evenPlane = plane
        if offset > 0 {
            if inner > 0 { blend(1, 0, offset, even, 1) }
            CopyPlane(plane.bytes, plane.strideValue, even.memory, even.stride, 1, height)
            evenPlane = even.asPlane
        }
        MergeUVPlane(
            evenPlane.bytes, evenPlane.strideValue, odd.memory, odd.stride, target.memory, target.stride,
            CInt(size.width), height)
        return target.asPlane
    }

    /// Twice as high, likewise.
    private func doubleDown(_ plane: BytePlane, _ target: ScratchPlanes.Target, offset: CInt) -> BytePlane {
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
        if offset > 0 {
            copy(0, toRow: 0, rows: 1)
            if inner > 0 { blend(1, 0, offset, toRow: 2) }
        } else {
            copy(0, toRow: 0, rows: CInt(rows))
        }
        if inner > 0 { blend(0, 1, 128 - offset, toRow: 1) }
        copy(rows - 1, toRow: rows * 2 - 1, rows: 1)
        return target.asPlane
    }
}
