import Motion

/// A plane of 8-bit samples (or of 16-bit ones on their way to 8), somebody else's memory.
struct BytePlane {
    var base: UnsafeRawPointer
    /// Bytes from a row to the next.
    var stride: Int
    var size: PixelSize

    var bytes: UnsafePointer<UInt8> { base.assumingMemoryBound(to: UInt8.self) }
    var strideValue: CInt { CInt(stride) }
}

/// Planes for what lies between two steps of a conversion; their memory is kept and only ever grows.
struct ScratchPlanes: ~Copyable {
    /// A plane to be written.
    struct Target {
        var memory: UnsafeMutablePointer<UInt8>
        var stride: CInt
        var size: PixelSize
        var asPlane: BytePlane { BytePlane(base: UnsafeRawPointer(memory), stride: Int(stride), size: size) }
    }

    /// Three planes, and what up to five steps leave between.
    private static let count = 18
    private var memory: [UnsafeMutablePointer<UInt8>?] = Array(repeating: nil, count: Self.count)
    private var capacity = Array(repeating: 0, count: Self.count)

    init() {}

    deinit { for plane in memory { plane.map { UnsafeMutableRawPointer($0).deallocate() } } }

    /// Scratch plane `index`, 0…17, at a size; what it held is lost.
    mutating func plane(_ index: Int, _ size: PixelSize) -> Target {
        let alignment = PixelBufferPool.alignment
        let stride = (size.width + alignment - 1) & ~(alignment - 1)
        let bytes = stride * size.height
        if let plane = memory[index], capacity[index] >= bytes {
            return Target(memory: plane, stride: CInt(stride), size: size)
        }
        memory[index].map { UnsafeMutableRawPointer($0).deallocate() }
        let plane = UnsafeMutableRawPointer.allocate(byteCount: bytes, alignment: alignment)
            .assumingMemoryBound(to: UInt8.self)
        memory[index] = plane
        capacity[index] = bytes
        return Target(memory: plane, stride: CInt(stride), size: size)
    }
}
