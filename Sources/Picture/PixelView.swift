/// A view of a frame's planes. It is valid only during the call that provides it, because the memory belongs to the
/// frame's owner.
public struct PixelView {
    /// The memory of one plane.
    public struct Plane {
        /// The start of the first row.
        public let base: UnsafeRawPointer
        /// The distance from one row to the next, in bytes; at least the length of a row.
        public let stride: Int

        public init(base: UnsafeRawPointer, stride: Int) {
            self.base = base
            self.stride = stride
        }
    }

    /// The format of the planes.
    public let format: PixelFormat
    private let first: Plane
    private let second: Plane
    private let third: Plane

    /// Creates a view of `format.planeCount` planes. Extra planes are ignored, and the first plane is used in place of
    /// a missing one.
    public init(format: PixelFormat, _ first: Plane, _ second: Plane? = nil, _ third: Plane? = nil) {
        self.format = format
        self.first = first
        self.second = second ?? first
        self.third = third ?? first
    }

    /// The plane at `index`, 0..<`format.planeCount`: Y or RGB first, then U or interleaved UV, then V.
    public subscript(plane index: Int) -> Plane {
        switch index {
        case 0: first
        case 1: second
        default: third
        }
    }
}
