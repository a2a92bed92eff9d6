import CYUV
package import Geometry
package import Picture

/// Turns planes into a BGRA picture of the size at which it will be seen, on the CPU.
///
/// For machines where the CPU draws. This runs on a thread of its own (`ConversionStage`). Memory is kept from frame to frame. Where
/// a GPU draws, it is not used.
///
/// Steps: planes that are more than twice as large halved; then, row by row, luma and chroma brought bilinearly to the
/// picture's size, chroma from where its samples lie, and the matrix. Deeper samples keep their depth up to the matrix
/// where nothing is scaled; else they are rounded to 8 bits first.
package struct PixelConverter: ~Copyable {
    private let pool: PixelBufferPool
    private var matrix = YUVMatrix(.init(matrix: .bt709, range: .limited, isDeep: false))
    private var deepChroma = HighBitDepthChroma()
    private var levels = BrightnessOffset()
    var deep = ScratchPlanes()
    var reduction = ScratchPlanes()
    var rows = Rows()
    /// Where pictures are made while there is room; else, and where it is nil, in memory of its own.
    package var memory: (any FrameAllocator)?
    /// How large the pictures may become: their memory is made for that.
    package var capacity = PixelSize(width: 0, height: 0)

    /// - Parameters:
    ///   - isForChangingSizes: whether each picture may have another size than the one before.
    ///   - usualCount: see `PixelBufferPool`.
    package init(isForChangingSizes: Bool = false, usualCount: Int = .max) {
        pool = PixelBufferPool(onlyGrows: isForChangingSizes, usualCount: usualCount)
    }

    /// Whether it knows a format's layout.
    package static func canResolve(_ format: PixelFormat) -> Bool {
        guard !format.size.isEmpty else { return false }
        return switch format.layout {
        case .planar, .semiPlanar, .gray: true
        case .rgb: format.bitDepth == 8
        }
    }

    /// Converts and scales; nil for a layout that it does not know, which is then drawn from its planes.
    ///
    /// - Parameter lift: what is added to R'G'B', each 0…1; beyond -1…1 is at these ends.
    package mutating func resolve(_ picture: PixelView, to size: PixelSize, brightnessOffset: Double = 0)
        -> ConvertedPicture?
    {
        let format = picture.format
        let brightnessOffset = brightnessOffset.isFinite ? min(max(brightnessOffset, -1), 1) : 0
        guard !size.isEmpty, Self.canResolve(format) else { return nil }
        var source: Source
        switch format.layout {
        case .semiPlanar where format.bitDepth > 8:
            source = apart(picture)
        case .planar, .gray:
            source = format.isHighAligned ? apart(picture) : Source(picture)
        case .semiPlanar(let vFirst):
            source = split(picture, vFirst: vFirst)
        case .rgb(let order):
            let target = resolve(picture[plane: 0], format.size, order, to: size)
            levels.add(Int((brightnessOffset * 255).rounded()), to: target)
            return target
        }
        if format.bitDepth > 8 {
            if size == format.size, let chroma = source.chroma {
                return resolveDeep(source, chroma, format, brightnessOffset)
            }
            reduceDepth(&source, from: format.bitDepth)
        }
        beginRows(source, siting: format.siting, to: size)

        let target = target(size)
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

    /// More than 8 bits, at the size that they have.
    private mutating func resolveDeep(
        _ source: consuming Source, _ chroma: ChromaSubsampling, _ format: PixelFormat, _ brightnessOffset: Double
    ) -> ConvertedPicture {
        if format.bitDepth != 10 {
            source.y = toTenBits(source.y, from: format.bitDepth, deep.plane(0, source.size, sampleBytes: 2))
        }
        let target = target(source.size)
        for index in 1...2 {
            let upsampled = deep.plane(index, HighBitDepthChroma.targetSize(source.size), sampleBytes: 2)
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
    /// For the one who writes it.
    package var bytes: UnsafeMutablePointer<UInt8> { buffer.memory.assumingMemoryBound(to: UInt8.self) }
    package var stride: CInt { CInt(size.width * 4) }
    package func bytes(inRow y: Int) -> UnsafeMutablePointer<UInt8> { bytes + y * size.width * 4 }
}
