/// A picture's planes, lent for the length of a call. Never kept: the pointers are the owner's.
public struct PixelView {
    public struct Plane {
        /// The first row. Rows follow at `stride`.
        public let base: UnsafeRawPointer
        /// Bytes from a row to the next; never negative, at least the row's own bytes.
        public let stride: Int

        public init(base: UnsafeRawPointer, stride: Int) {
            self.base = base
            self.stride = stride
        }
    }

    public let format: PixelFormat
    private let first: Plane
    private let second: Plane
    private let third: Plane

    /// A view of `format.planeCount` planes; those that the format lacks are ignored.
    public init(format: PixelFormat, _ first: Plane, _ second: Plane? = nil, _ third: Plane? = nil) {
        self.format = format
        self.first = first
        self.second = second ?? first
        self.third = third ?? first
    }

    public subscript(plane index: Int) -> Plane {
        switch index {
        case 0: first
        case 1: second
        default: third
        }
    }
}
