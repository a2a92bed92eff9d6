import CYUV
public import Geometry
public import Picture

/// The newest picture of a surface, in memory, as the software renderer draws it: `VideoTexture` without OpenGL.
///
/// Main thread.
@MainActor public final class SoftwareSurface {
    /// The format of the newest picture; nil where there is none.
    public private(set) var format: PixelFormat?
    /// Another number with each picture and each lift, and another one than any other surface's: what was drawn of it
    /// before is what it is where this is the same.
    public private(set) var generation = SoftwareSurface.nextGeneration()
    /// What is added to red, green and blue as the picture is drawn, each 0…1 (`Brightness.brightnessOffset`); from the next draw
    /// on.
    public var brightnessOffset = 0.0 {
        didSet {
            guard brightnessOffset != oldValue else { return }
            if !brightnessOffset.isFinite { brightnessOffset = 0 }
            generation = Self.nextGeneration()
        }
    }

    /// The picture, and the memory that it is a part of.
    private(set) var raster: Raster?
    private(set) var storage: Raster?
    /// Whose memory the picture is in, where it is not the surface's own.
    private var owner: Owner?
    /// What is lent to who makes the pictures; one of a size at a time.
    private var lending: Lending?
    /// What the pictures may be shown by without being drawn.
    private weak var output: (any SoftwareOutput)?
    /// How many pictures in a row had more memory than they need.
    private var roomy = 0
    /// After so many, they get memory of their size: as `VideoTexture`.
    private static let patience = 300

    private enum Owner {
        /// Somebody who is to be told when it is not needed any more.
        case other(release: () -> Void)
        case lending(Lending, index: Int)

        @MainActor func release() {
            switch self {
            case .other(let release): release()
            case .lending(let lending, let index): lending.pictures.release(index)
            }
        }
    }

    /// Pictures that are made by others in memory of the surface's.
    @MainActor private final class Lending {
        let pictures: LentPictures
        /// The same memory as the output has it; nil where that shows only buffers.
        let outputPictures: (any OutputPictures)?
        private var rasters = [Raster?](repeating: nil, count: LentPictures.count)

        /// Nil where there is no memory.
        init?(_ size: PixelSize, output: (any SoftwareOutput)?) {
            let stride = LentPictures.stride(of: size)
            outputPictures = output?.makePictures(size, stride: stride, count: LentPictures.count)
            let memory = outputPictures?.memory ?? PrivatePicturesMemory(stride * LentPictures.count)
            guard let memory else { return nil }
            pictures = LentPictures(size, in: memory)
        }

        /// How pixman sees a picture; nil where there is no memory for that.
        func raster(_ index: Int) -> Raster? {
            if rasters[index] == nil {
                rasters[index] = Raster(
                    .opaque, memory: pictures.address(of: index), stride: pictures.size.width * 4, size: pictures.size)
            }
            return rasters[index]
        }
    }

    private static var lastGeneration = 0
    private static func nextGeneration() -> Int {
        lastGeneration &+= 1
        return lastGeneration
    }

    /// - Parameter output: what may show the pictures as they are, where nothing else of a frame changes.
    public init(output: (any SoftwareOutput)? = nil) { self.output = output }

    isolated deinit { owner?.release() }

    public var hasPicture: Bool { format != nil }

    /// The lift in levels of 255.
    var liftLevels: Int { Int((min(max(brightnessOffset, -1), 1) * 255).rounded()) }

    /// Memory in which pictures of `size` may be made that are drawn from there; nil where there is none.
    public func lender(for size: PixelSize) -> (any FrameAllocator)? {
        if lending?.pictures.size != size {
            lending = nil
            let limit = PixmanImage.sizeLimit
            guard !size.isEmpty, max(size.width, size.height) <= limit else { return nil }
            lending = Lending(size, output: output)
        }
        return lending?.pictures
    }

    /// The picture as an output may show it in a rectangle of its size; nil where it must be drawn.
    func outputPicture(in rect: PixelRect) -> OutputPicture? {
        guard case .lending(let lending, let index) = owner, let pictures = lending.outputPictures, liftLevels == 0,
            rect.size == raster?.size
        else { return nil }
        return OutputPicture(pictures: pictures, index: index, rect: rect, holds: lending.pictures)
    }

    /// Makes `view`, which is RGB of 8 bits, the newest picture. It is copied before the call returns, unless it lies in what
    /// was lent.
    ///
    /// - Parameter room: how large the next pictures may become: memory is taken for that.
    /// - Throws: `emptyPicture`, `tooLarge`, `unsupportedFormat` or `allocation`; the picture before stays.
    public func upload(_ view: PixelView, room: PixelSize? = nil) throws(RenderingError) {
        let format = view.format
        if let refusal = Self.refusal(of: format) { throw refusal }
        let plane = view[plane: 0]
        if let lending, format.layout == .rgb(.bgra), format.size == lending.pictures.size,
            plane.stride == format.size.width * 4, let index = lending.pictures.claim(at: plane.base)
        {
            guard let raster = lending.raster(index) else {
                lending.pictures.release(index)
                throw .allocation(format.size, code: 0)
            }
            leaveMemory()
            storage = nil
            owner = .lending(lending, index: index)
            return pictureChanged(raster, format)
        }
        let raster = try prepare(format.size, room: room)
        if format.layout == .rgb(.bgra) {
            raster.copy(from: plane.base, stride: plane.stride, size: format.size)
        } else {
            // libyuv names the bytes of a word from its highest: ABGR is red first in memory.
            raster.withRows { rows, stride in
                _ = ABGRToARGB(
                    plane.base.assumingMemoryBound(to: UInt8.self), CInt(plane.stride),
                    rows.assumingMemoryBound(to: UInt8.self), CInt(stride), CInt(format.size.width),
                    CInt(format.size.height))
            }
        }
        pictureChanged(raster, format)
    }

    /// Makes pixels in somebody else's memory the newest picture, without a copy: blue, green, red and a byte that
    /// means nothing; rows from the top.
    ///
    /// - Parameters:
    ///   - memory: not written by anybody until `release` is called; 4 divides its address.
    ///   - stride: from one row to the next, in bytes; 4 divides it.
    ///   - release: called on the main thread when the picture is another one or the surface is gone; not where this
    ///     throws.
    /// - Throws: `emptyPicture`, `tooLarge`, or `unsupportedFormat` where rows overlap or are not aligned; the picture
    ///   before stays.
    public func adopt(
        memory: UnsafeMutableRawPointer, stride: Int, size: PixelSize, release: @escaping () -> Void
    ) throws(RenderingError) {
        let format = PixelFormat(size: size, layout: .rgb(.bgra), range: .full)
        if let refusal = Self.refusal(of: format) { throw refusal }
        guard stride >= size.width * 4, stride <= 1 << 20, stride % 4 == 0, UInt(bitPattern: memory) % 4 == 0 else {
            throw .unsupportedFormat(format)
        }
        let raster = Raster(.opaque, memory: memory, stride: stride, size: size)
        leaveMemory()
        storage = nil
        owner = .other(release: release)
        pictureChanged(raster, format)
    }

    /// Makes what `draw` draws the newest picture.
    ///
    /// - Throws: `emptyPicture`, `tooLarge`, `allocation`, and what `draw` throws; there may be no picture then.
    func capture(_ size: PixelSize, _ draw: (Raster) throws(RenderingError) -> Void) throws(RenderingError) {
        let format = PixelFormat(size: size, layout: .rgb(.bgra), range: .full)
        if let refusal = Self.refusal(of: format) { throw refusal }
        let raster = try prepare(size, room: nil)
        do throws(RenderingError) {
            try draw(raster)
        } catch {
            removePicture(keepsMemory: true)
            throw error
        }
        pictureChanged(raster, format)
    }

    /// Forgets the picture and frees its memory, or keeps that for the next.
    public func removePicture(keepsMemory: Bool = false) {
        leaveMemory()
        raster = nil
        if !keepsMemory { (storage, lending) = (nil, nil) }
        format = nil
        generation = Self.nextGeneration()
    }

    private func pictureChanged(_ raster: Raster, _ format: PixelFormat) {
        self.raster = raster
        self.format = format
        generation = Self.nextGeneration()
    }

    /// Gives a picture back that lies in others' memory.
    private func leaveMemory() {
        guard let owner = owner.take() else { return }
        raster = nil
        owner.release()
    }

    /// Memory for a picture of `size`: what is there, where it fits.
    private func prepare(_ size: PixelSize, room: PixelSize?) throws(RenderingError) -> Raster {
        let limit = PixmanImage.sizeLimit
        let needed = PixelSize(
            width: min(max(size.width, room?.width ?? 0), limit),
            height: min(max(size.height, room?.height ?? 0), limit))
        if let storage, storage.size.width >= needed.width, storage.size.height >= needed.height {
            roomy = room != nil || storage.size == needed ? 0 : roomy + 1
            if roomy < Self.patience {
                if owner == nil, let raster, raster.size == size { return raster }
                leaveMemory()
                return storage.size == size
                    ? storage
                    : storage.withRows { Raster(.opaque, memory: $0, stride: $1, size: size) }
            }
        }
        guard let storage = Raster(.opaque, size: needed) ?? (needed == size ? nil : Raster(.opaque, size: size)) else {
            throw .allocation(size, code: 0)
        }
        roomy = 0
        leaveMemory()
        self.storage = storage
        return storage.size == size
            ? storage : storage.withRows { Raster(.opaque, memory: $0, stride: $1, size: size) }
    }

    /// Why pictures of a format are not drawn as they are, or nil.
    private static func refusal(of format: PixelFormat) -> RenderingError? {
        if format.size.isEmpty { return .emptyPicture }
        let limit = PixmanImage.sizeLimit
        if max(format.size.width, format.size.height) > limit { return .tooLarge(format.size, limit: limit) }
        guard case .rgb = format.layout, format.bitDepth == 8 else { return .unsupportedFormat(format) }
        return nil
    }
}
