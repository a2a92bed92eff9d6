import CYUV
import Geometry
import Picture

// From planes of 8 bits to the picture, a row at a time: scaled, and chroma brought to where luma is.

extension PixelConverter {
    /// The three planes' rows, at the size of the picture.
    struct Rows: ~Copyable {
        var y = RowScaler()
        var u = RowScaler()
        var v = RowScaler()
    }

    /// One axis of a plane that is to be seen at another size.
    private struct Axis {
        /// Samples of luma, and how many pixels they come to.
        let length: Int
        let target: Int
        /// Where the plane's samples lie among those of luma, and how many of these each stands for.
        var offset = 0.0
        var fraction = 1.0
        /// How often it was halved, as a factor.
        var divisor = 1

        init(_ length: Int, to target: Int) { (self.length, self.target) = (length, target) }

        /// Of a chroma plane that has half as many samples, each on the first of the two that it serves or between them.
        init(_ length: Int, to target: Int, isHalved: Bool, isCentered: Bool) {
            self.init(length, to: target)
            if isHalved { (offset, fraction) = (isCentered ? 0.5 : 0, 2) }
        }

        var step: Double { Double(length) / Double(target) / fraction / Double(divisor) }

        var sampling: RowScaler.Sampling {
            // The middle of the first pixel, in luma's samples, in the plane's own, and in those left after halving.
            let luma = (Double(length) / Double(target) - 1) / 2
            let own = (luma - offset) / fraction
            return RowScaler.Sampling(origin: (own + 0.5) / Double(divisor) - 0.5, step: step)
        }
    }

    /// Has the rows be those of `source`, at `size`.
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

    /// A plane that is near enough to the size that it is wanted in for one bilinear step.
    ///
    /// libyuv's box filter, which it takes for large steps alone, cuts its sums off: gray gets darker and greenish. So
    /// planes are halved or quartered, which it rounds.
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
            // An odd column or row is left out: libyuv takes whole steps only for what they divide.
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
