import GlissadeCYUV
import GlissadeGeometry
import GlissadePicture

// Scales 8-bit planes a row at a time, and positions chroma according to its siting.

extension PixelConverter {
    /// The scalers that produce rows of the three planes at the output size.
    struct Rows: ~Copyable {
        var y = RowScaler()
        var u = RowScaler()
        var v = RowScaler()
    }

    /// One axis of a plane to be scaled.
    private struct Axis {
        /// The number of luma samples (`length`) and of output pixels (`target`) along the axis.
        let length: Int
        let target: Int
        /// The position of the plane's first sample (`offset`) and the step from sample to sample (`fraction`), in
        /// luma samples.
        var offset = 0.0
        var fraction = 1.0
        /// The factor by which the plane has already been reduced along this axis.
        var divisor = 1

        init(_ length: Int, to target: Int) { (self.length, self.target) = (length, target) }

        /// Creates an axis of a chroma plane, which has half as many samples as luma if `isHalved` is true. In that
        /// case, `isCentered` specifies whether chroma samples are sited between their two luma samples rather than on
        /// the first of them.
        init(_ length: Int, to target: Int, isHalved: Bool, isCentered: Bool) {
            self.init(length, to: target)
            if isHalved { (offset, fraction) = (isCentered ? 0.5 : 0, 2) }
        }

        var step: Double { Double(length) / Double(target) / fraction / Double(divisor) }

        var sampling: RowScaler.Sampling {
            // The center of the first output pixel in luma samples, then in the plane's own samples, then in the
            // reduced plane's.
            let luma = (Double(length) / Double(target) - 1) / 2
            let own = (luma - offset) / fraction
            return RowScaler.Sampling(origin: (own + 0.5) / Double(divisor) - 0.5, step: step)
        }
    }

    /// Starts producing rows from `source`, scaled to `size`.
    mutating func beginRows(_ source: Source, siting: ChromaSiting, to size: PixelSize) {
        var across = Axis(source.size.width, to: size.width)
        var down = Axis(source.size.height, to: size.height)
        let luma = reduced(source.y, 0, &across, &down)
        rows.y.begin(luma, across: across.sampling, down: down.sampling, width: size.width)
        guard let chroma = source.chroma else { return }
        let chromaAcross = Axis(
            source.size.width, to: size.width, isHalved: chroma != .full, isCentered: siting == .center)
        let chromaDown = Axis(
            source.size.height, to: size.height, isHalved: chroma == .quarter, isCentered: siting != .topLeft)
        (across, down) = (chromaAcross, chromaDown)
        let u = reduced(source.u, 1, &across, &down)
        rows.u.begin(u, across: across.sampling, down: down.sampling, width: size.width)
        (across, down) = (chromaAcross, chromaDown)
        rows.v.begin(reduced(source.v, 2, &across, &down), like: rows.u)
    }

    /// Reduces a plane until a single bilinear step can scale it to the output size.
    ///
    /// Halves or quarters the plane, repeatedly if needed. At any other ratio, libyuv's box filter would truncate its
    /// sums, which makes gray darker and greenish.
    private mutating func reduced(_ plane: BytePlane, _ index: Int, _ across: inout Axis, _ down: inout Axis)
        -> BytePlane
    {
        var plane = plane
        var isOdd = false
        let most = RowScaler.Sampling.largestStep
        while across.step > most || down.step > most {
            let isFar = across.step > 2 * most && down.step > 2 * most
            let (columns, lines) = (across.step > most ? (isFar ? 4 : 2) : 1, down.step > most ? (isFar ? 4 : 2) : 1)
            let target = reduction.plane(
                index + (isOdd ? 3 : 0),
                PixelSize(width: plane.size.width / columns, height: plane.size.height / lines))
            // Leftover columns and rows are dropped: libyuv halves and quarters only divisible sizes.
            ScalePlane(
                plane.bytes, plane.strideValue, CInt(target.size.width * columns), CInt(target.size.height * lines),
                target.memory, target.stride, CInt(target.size.width), CInt(target.size.height), kFilterBox)
            plane = target.asPlane
            across.divisor *= columns
            down.divisor *= lines
            isOdd.toggle()
        }
        return plane
    }
}
