import GlissadeCYUV
import GlissadeGeometry

/// Scales a plane of bytes bilinearly. Works on one row at a time, so that the row stays in the L1 cache.
///
/// A plane must not be reduced to less than half its width or height: some of its samples would be skipped.
struct RowScaler: ~Copyable {
    /// The position of the first output sample along one axis, and the step to the next, both in samples of the plane.
    /// The plane's first sample is at position 0. Beyond the ends, the edge samples are repeated.
    struct Sampling: Hashable {
        var origin: Double
        var step: Double

        static let identity = Sampling(origin: 0, step: 1)
        /// The largest step at which eight output columns need at most sixteen bytes of a row.
        static let largestStep = 2.0

        /// Returns the two samples around output position `index`, and the weight of the second, 0…`unit`.
        func place(_ index: Int, count: Int, unit: Double) -> (near: Int, far: Int, fraction: Int) {
            let place = min(max(origin + step * Double(index), 0), Double(count - 1))
            let near = min(Int(place), max(count - 2, 0))
            return (near, min(near + 1, count - 1), Int(((place - Double(near)) * unit).rounded()))
        }
    }

    /// The coefficients of horizontal scaling, in blocks of sixteen columns. One scaler writes them, and other scalers
    /// for planes of the same size read them. A class, because a shared array would be copied on the next write.
    private final class Columns {
        private struct Key: Hashable {
            var across: Sampling
            var sourceWidth: Int
            var width: Int
        }

        private var key: Key?
        private(set) var blocks: [glissade_columns] = []

        var sourceWidth: Int { key?.sourceWidth ?? 0 }

        func set(_ across: Sampling, from sourceWidth: Int, to width: Int) {
            let key = Key(across: across, sourceWidth: sourceWidth, width: width)
            guard self.key != key else { return }
            self.key = key
            blocks.removeAll(keepingCapacity: true)
            for begin in stride(from: 0, to: width, by: 16) {
                blocks.append(Self.block(at: begin, across, sourceWidth))
            }
        }

        private static func block(at begin: Int, _ across: Sampling, _ sourceWidth: Int) -> glissade_columns {
            var block = glissade_columns()
            withUnsafeMutableBytes(of: &block.first) { first in
                for half in 0..<2 {
                    let least = across.place(begin + half * 8, count: sourceWidth, unit: 128).near
                    // Reads of 16 bytes stay inside the row, unless it is shorter than that.
                    first.storeBytes(
                        of: Int32(max(0, min(least, sourceWidth - 16))), toByteOffset: half * 4, as: Int32.self)
                }
            }
            let first = (Int(block.first.0), Int(block.first.1))
            withUnsafeMutableBytes(of: &block.picks) { picks in
                withUnsafeMutableBytes(of: &block.weights) { weights in
                    for index in 0..<16 {
                        let (near, far, fraction) = across.place(begin + index, count: sourceWidth, unit: 128)
                        let base = index < 8 ? first.0 : first.1
                        (picks[index * 2], picks[index * 2 + 1]) = (UInt8(near - base), UInt8(far - base))
                        (weights[index * 2], weights[index * 2 + 1]) = (UInt8(128 - fraction), UInt8(fraction))
                    }
                }
            }
            return block
        }
    }

    private var plane: BytePlane?
    private var across = Sampling.identity
    private var down = Sampling.identity
    private var width = 0
    private let ownColumns = Columns()
    /// The scaler's own coefficients, or those of the scaler passed to `begin(_:like:)`.
    private var columns: Columns
    private var rows = ScratchPlanes()
    /// The indices of the plane's rows that are cached in scratch rows 0 and 1; -1 if a scratch row is empty.
    private var made = (-1, -1)

    init() { columns = ownColumns }

    /// Starts producing rows from `plane`, which must not change until the next `begin`.
    ///
    /// - Parameters:
    ///   - across: The horizontal sampling, with steps of at most `Sampling.largestStep`.
    ///   - down: The vertical sampling.
    ///   - width: The width of output rows.
    mutating func begin(_ plane: BytePlane, across: Sampling, down: Sampling, width: Int) {
        precondition(across.step <= Sampling.largestStep, "a step across of \(across.step) samples")
        self.plane = plane
        (self.across, self.down, self.width) = (across, down, width)
        made = (-1, -1)
        columns = ownColumns
        if across != .identity { columns.set(across, from: plane.size.width, to: width) }
    }

    /// Starts producing rows from a plane with the same size and siting as the plane of `other`. Rows may be produced
    /// only until `begin` is called on `other`.
    mutating func begin(_ plane: BytePlane, like other: borrowing RowScaler) {
        self.plane = plane
        (across, down, width) = (other.across, other.down, other.width)
        columns = other.columns
        made = (-1, -1)
    }

    /// Returns the rows of the plane that `row(_:)` reads for row `y` of the result: one row, or two adjacent rows.
    func planeRows(for y: Int) -> ClosedRange<Int> {
        let (near, far, _) = down.place(y, count: plane?.size.height ?? 1, unit: 256)
        return near...far
    }

    /// Returns row `y` of the result. The pointer is valid until the next call.
    mutating func row(_ y: Int) -> UnsafePointer<UInt8> {
        guard let plane else { fatalError("a row of no plane") }
        let (near, far, fraction) = down.place(y, count: plane.size.height, unit: 256)
        if across == .identity {
            return blend(plane.bytes(inRow: near), plane.bytes(inRow: far), fraction, plane.size.width)
        }
        // Horizontal scaling is more expensive, so it is applied to as few rows as possible.
        if down.step >= 1 {
            let row = blend(plane.bytes(inRow: near), plane.bytes(inRow: far), fraction, plane.size.width)
            return blendColumns(of: row, into: 0)
        }
        if fraction == 0 { return widened(near, plane) }
        if fraction == 256 { return widened(far, plane) }
        return blend(widened(near, plane), widened(far, plane), fraction, width)
    }

    /// Returns row `y` of the plane, scaled to the output width. The last even row and the last odd row are cached.
    private mutating func widened(_ y: Int, _ plane: BytePlane) -> UnsafePointer<UInt8> {
        let slot = y & 1
        if (slot == 0 ? made.0 : made.1) == y { return UnsafePointer(memory(slot)) }
        if slot == 0 { made.0 = y } else { made.1 = y }
        return blendColumns(of: plane.bytes(inRow: y), into: slot)
    }

    private mutating func memory(_ slot: Int, width: Int? = nil) -> UnsafeMutablePointer<UInt8> {
        // Whole blocks are read and written.
        rows.plane(slot, PixelSize(width: max(width ?? columns.blocks.count * 16, 16), height: 1)).memory
    }

    /// Interpolates two rows. `fraction` is the weight of the second row, out of 256.
    private mutating func blend(
        _ near: UnsafePointer<UInt8>, _ far: UnsafePointer<UInt8>, _ fraction: Int, _ width: Int
    ) -> UnsafePointer<UInt8> {
        if fraction == 0 { return near }
        if fraction == 256 { return far }
        let target = memory(2, width: width)
        InterpolatePlane(near, 0, far, 0, target, 0, CInt(width), 1, CInt(fraction))
        return UnsafePointer(target)
    }

    private mutating func blendColumns(of row: UnsafePointer<UInt8>, into slot: Int) -> UnsafePointer<UInt8> {
        let target = memory(slot)
        let sourceWidth = columns.sourceWidth
        var row = row
        if sourceWidth < 16 {
            let padded = memory(3, width: 16)
            padded.update(from: row, count: sourceWidth)
            row = UnsafePointer(padded)
        }
        glissade_blend_columns(row, columns.blocks, columns.blocks.count, target)
        return UnsafePointer(target)
    }
}
