/// The planes of a frame, valid during a call. Must not be kept: the pointers belong to the owner.
public struct PixelView {
    /// The memory of one plane.
    public struct Plane {
        /// The first row. Rows follow at `stride`.
        public let base: UnsafeRawPointer
        /// The bytes from one row to the next; never negative, and at least a row's bytes.
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

    /// A view of `format.planeCount` planes; any others are ignored.
    public init(format: PixelFormat, _ first: Plane, _ second: Plane? = nil, _ third: Plane? = nil) {
        self.format = format
        self.first = first
        self.second = second ?? first
        self.third = third ?? first
    }

    /// The plane `index`, from 0 to `format.planeCount` - 1: Y or RGB first, then U or interleaved UV, then V.
    public subscript(plane index: Int) -> Plane {
        switch index {
        case 0: first
        case 1: second
        default: third
        }
    }
}
