import GlissadeGeometry

/// A non-owning view of a plane of 8-bit or 16-bit samples.
struct BytePlane {
    var base: UnsafeRawPointer
    /// The distance from one row to the next, in bytes.
    var stride: Int
    var size: PixelSize
    /// The number of rows in memory if only the latest rows are kept; row y is then stored as row y % `keptRows`. Nil
    /// if all rows are in memory.
    var keptRows: Int?

    var bytes: UnsafePointer<UInt8> { base.assumingMemoryBound(to: UInt8.self) }
    var strideValue: CInt { CInt(stride) }

    func bytes(inRow y: Int) -> UnsafePointer<UInt8> { bytes + (keptRows.map { y % $0 } ?? y) * stride }

    var words: UnsafePointer<UInt16> { base.assumingMemoryBound(to: UInt16.self) }
    /// The distance from one row to the next, in 16-bit samples. FFmpeg's strides are whole numbers of samples.
    var wordStride: CInt { CInt(stride / 2) }

    func words(inRow y: Int) -> UnsafePointer<UInt16> { (base + y * stride).assumingMemoryBound(to: UInt16.self) }
}

/// Planes for intermediate results of a conversion. Their buffers are reused and never shrink.
struct ScratchPlanes: ~Copyable {
    /// A scratch plane to write to; valid until the same plane is requested again.
    struct Target {
        var memory: UnsafeMutablePointer<UInt8>
        var stride: CInt
        var size: PixelSize
        var asPlane: BytePlane { BytePlane(base: UnsafeRawPointer(memory), stride: Int(stride), size: size) }

        func bytes(inRow y: Int) -> UnsafeMutablePointer<UInt8> { memory + y * Int(stride) }

        func words(inRow y: Int) -> UnsafeMutablePointer<UInt16> {
            UnsafeMutableRawPointer(bytes(inRow: y)).assumingMemoryBound(to: UInt16.self)
        }
    }

    /// The number of planes: two sets of three, between which conversion steps alternate.
    private static let count = 6
    private var memory: [UnsafeMutablePointer<UInt8>?] = Array(repeating: nil, count: Self.count)
    private var capacity = Array(repeating: 0, count: Self.count)

    init() {}

    deinit { for plane in memory { plane.map { UnsafeMutableRawPointer($0).deallocate() } } }

    /// Returns scratch plane `index`, 0…5, at `size`, for samples of `sampleBytes` bytes. Its previous content is
    /// lost.
    mutating func plane(_ index: Int, _ size: PixelSize, sampleBytes: Int = 1) -> Target {
        let alignment = PixelBufferPool.alignment
        let stride = (size.width * sampleBytes + alignment - 1) & ~(alignment - 1)
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
