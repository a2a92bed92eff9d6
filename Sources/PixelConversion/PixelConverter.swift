import GlissadeCYUV
package import GlissadeGeometry
package import GlissadePicture

/// Converts decoded frames to BGRA at the size at which they are shown, for the software renderer.
///
/// Planes more than twice as large as needed are halved or quartered, repeatedly if needed. Luma and chroma are then
/// scaled bilinearly to the output size, with chroma siting taken into account. Finally, the color matrix is applied.
///
/// Samples of more than 8 bits are rounded to 8 bits first if the frame is scaled or gray, or if its matrix has no luma
/// weights. Otherwise, luma keeps 10 bits until the matrix is applied.
///
/// Threads: one thread at a time, usually that of `ConversionStage`.
package struct PixelConverter: ~Copyable {
    private let pool: PixelBufferPool
    private var matrix = YUVMatrix(.init(matrix: .bt709, range: .limited, isDeep: false))
    private var deepChroma = HighBitDepthChroma()
    private var levels = BrightnessOffset()
    var scratch = ScratchPlanes()
    var reduction = ScratchPlanes()
    var rows = Rows()
    /// The allocator that provides memory for converted frames. If it is nil or has no memory left, the converter uses
    /// its own memory.
    package var memory: (any FrameAllocator)?
    /// The largest output size expected. Buffers that the converter allocates itself are at least that large.
    package var capacity = PixelSize(width: 0, height: 0)

    /// - Parameters:
    ///   - isForChangingSizes: Whether each frame may differ in size from the previous one.
    ///   - usualCount: See `PixelBufferPool`.
    package init(isForChangingSizes: Bool = false, usualCount: Int = .max) {
        pool = PixelBufferPool(onlyGrows: isForChangingSizes, usualCount: usualCount)
    }

    /// Whether frames of `format` can be converted. The size must not be empty, and an RGB format must have 8 bits per
    /// channel.
    package static func canConvert(_ format: PixelFormat) -> Bool {
        guard !format.size.isEmpty else { return false }
        return switch format.layout {
        case .planar, .semiPlanar, .gray: true
        case .rgb: format.bitDepth == 8
        }
    }

    /// Converts a frame to BGRA and scales it to `size`, in memory from a given allocator. Returns nil if `size` is
    /// empty or `canConvert` is false.
    ///
    /// - Parameters:
    ///   - memory: The allocator that provides memory for the result. If it is nil, the property `memory` is used
    ///     instead.
    ///   - brightnessOffset: See `convert(_:to:brightnessOffset:)`.
    package mutating func convert(
        _ picture: PixelView, to size: PixelSize, memory: (any FrameAllocator)?, brightnessOffset: Double
    ) -> ConvertedPicture? {
        // Set here, not by the caller: assigning the property through an optional converter leaks a reference (Swift
        // 6.3).
        let usual = self.memory
        self.memory = memory ?? usual
        defer { self.memory = usual }
        return convert(picture, to: size, brightnessOffset: brightnessOffset)
    }

    /// Converts a frame to BGRA and scales it to `size`. Returns nil if `size` is empty or `canConvert` is false.
    ///
    /// - Parameter brightnessOffset: The offset to add to R', G' and B', each of which is 0…1. The offset is clamped to
    ///   -1…1.
    package mutating func convert(_ picture: PixelView, to size: PixelSize, brightnessOffset: Double = 0)
        -> ConvertedPicture?
    {
        let format = picture.format
        let brightnessOffset = brightnessOffset.isFinite ? min(max(brightnessOffset, -1), 1) : 0
        guard !size.isEmpty, Self.canConvert(format) else { return nil }
        var source: Source
        switch format.layout {
        case .semiPlanar where format.bitDepth > 8:
            source = unpacked(picture)
        case .planar, .gray:
            source = format.isHighAligned ? unpacked(picture) : Source(picture)
        case .semiPlanar(let vFirst):
            source = split(picture, vFirst: vFirst)
        case .rgb(let order):
            let target = convert(picture[plane: 0], format.size, order, to: size)
            levels.add(Int((brightnessOffset * 255).rounded()), to: target)
            return target
        }
        if format.bitDepth > 8 {
            if size == format.size, let chroma = source.chroma, format.matrix.weights != nil {
                return convertDeep(source, chroma, format, brightnessOffset)
            }
            reduceDepth(&source, from: format.bitDepth)
        }
        beginRows(source, siting: format.siting, to: size)

        let target = target(size)
        if source.chroma != nil, format.matrix.weights == nil {
            let conversion = RowColorConversion(format, brightnessOffset: brightnessOffset)
            for y in 0..<size.height {
                conversion.convert(
                    y: rows.y.row(y), u: rows.u.row(y), v: rows.v.row(y), to: target.bytes(inRow: y), count: size.width)
            }
            return target
        }
        setMatrix(format, isDeep: false, brightnessOffset)
        let width = CInt(size.width)
        for y in 0..<size.height {
            let (luma, row) = (rows.y.row(y), target.bytes(inRow: y))
            if source.chroma == nil {
                I400ToARGBMatrix(luma, 0, row, 0, matrix.constants, width, 1)
            } else {
                I444ToARGBMatrix(luma, 0, rows.u.row(y), 0, rows.v.row(y), 0, row, 0, matrix.constants, width, 1)
            }
        }
        levels.add(matrix.remainingLevels, to: target)
        return target
    }

    /// Converts a frame of more than 8 bits per sample without scaling. Luma has 10 bits until the matrix is applied.
    private mutating func convertDeep(
        _ source: consuming Source, _ chroma: ChromaSubsampling, _ format: PixelFormat, _ brightnessOffset: Double
    ) -> ConvertedPicture {
        if format.bitDepth != 10 {
            source.y = toTenBits(source.y, from: format.bitDepth, scratch.plane(0, source.size, sampleBytes: 2))
        }
        let target = target(source.size)
        for index in 1...2 {
            let upsampled = scratch.plane(index, HighBitDepthChroma.targetSize(source.size), sampleBytes: 2)
            deepChroma.upsample(
                index == 1 ? source.u : source.v, bitDepth: format.bitDepth, chroma, siting: format.siting,
                into: upsampled)
            if index == 1 { source.u = upsampled.asPlane } else { source.v = upsampled.asPlane }
        }
        setMatrix(format, isDeep: true, brightnessOffset)
        I410ToARGBMatrix(
            source.y.words, source.y.wordStride, source.u.words, source.u.wordStride, source.v.words,
            source.v.wordStride, target.bytes, target.stride, matrix.constants, CInt(source.size.width),
            CInt(source.size.height))
        levels.add(matrix.remainingLevels, to: target)
        return target
    }

    private mutating func setMatrix(_ format: PixelFormat, isDeep: Bool, _ brightnessOffset: Double) {
        let key = YUVMatrix.Key(
            matrix: format.matrix, range: format.range, isDeep: isDeep, brightnessOffset: brightnessOffset)
        if matrix.key != key { matrix = YUVMatrix(key) }
    }

    package func target(_ size: PixelSize) -> ConvertedPicture {
        if let memory, let buffer = PixelBuffer(of: size, from: memory) {
            return ConvertedPicture(buffer: buffer, size: size)
        }
        let byteCount = max(size.width * size.height, capacity.width * capacity.height) * 4
        return ConvertedPicture(buffer: pool.take(byteCount: byteCount), size: size)
    }
}

extension ConvertedPicture {
    /// The frame's bytes, for writing.
    package var bytes: UnsafeMutablePointer<UInt8> { buffer.memory.assumingMemoryBound(to: UInt8.self) }
    package var stride: CInt { CInt(size.width * 4) }
    package func bytes(inRow y: Int) -> UnsafeMutablePointer<UInt8> { bytes + y * size.width * 4 }
}
