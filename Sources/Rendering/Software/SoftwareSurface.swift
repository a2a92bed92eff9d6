import GlissadeCYUV
public import GlissadeGeometry
public import GlissadePicture
import Synchronization

/// Holds the newest frame of a surface in memory, for the software renderer. The counterpart of `VideoTexture`.
///
/// Threads: any. To read `format` or `generation`, or to use internal members, hold `RenderLock`. The other members
/// take it themselves.
public final class SoftwareSurface {
    /// The format of the newest frame; nil if there is none.
    public private(set) var format: PixelFormat?
    /// A number, unique among all surfaces, that changes with every new frame and with every change of the brightness
    /// offset. While it does not change, earlier drawings of the surface remain valid.
    public private(set) var generation = SoftwareSurface.nextGeneration()
    /// The offset that is added to red, green and blue (0…1) when the frame is drawn (`Brightness.brightnessOffset`).
    /// Applies from the next draw.
    public var brightnessOffset: Double {
        get { RenderLock.withLock { addedBrightness } }
        set {
            RenderLock.withLock {
                guard addedBrightness != newValue else { return }
                addedBrightness = newValue.isFinite ? newValue : 0
                generation = Self.nextGeneration()
            }
        }
    }
    private var addedBrightness = 0.0

    /// The pixels of the newest frame; nil if there is no frame.
    private(set) var raster: Raster?
    /// The memory for frames that the surface itself owns; nil if there is none, for example if the frame is in memory
    /// owned elsewhere.
    private(set) var storage: Raster?
    /// The owner of the frame's memory; nil if the memory is `storage`, or if there is no frame.
    private var owner: Owner?
    /// The memory for frames of one size, which the producer fills in place; nil if there is none.
    private var shared: SharedFrames?
    /// The memory for frames whose size is changing; nil if there is none.
    private var overwritten: OverwrittenFrame?
    /// The number of consecutive frames in `shared` that were smaller than the capacity of `overwritten`.
    private var smallerCount = 0
    /// The output that can show frames directly, without drawing them into a buffer; nil if there is none.
    private weak var output: (any SoftwareOutput)?
    /// The number of consecutive frames that were smaller than `storage`.
    private var oversizedCount = 0
    /// The number of consecutive oversized frames after which memory is reallocated at the size of the frame, as in
    /// `VideoTexture`.
    private static let oversizedLimit = 300

    private enum Owner {
        /// The caller of `adopt`, notified when the memory is no longer needed.
        case other(release: () -> Void)
        case shared(SharedFrames, index: Int)
        case overwritten(OverwrittenFrame)

        func release() {
            switch self {
            case .other(let release): release()
            case .shared(let frames, let index): frames.slots.release(index)
            case .overwritten: break
            }
        }
    }

    /// Frames that the producer fills in place. Some outputs can show them directly.
    private final class SharedFrames {
        let slots: FrameSlots
        /// The output's handle for the memory of `slots`; nil if there is no output, or if it can show only buffers.
        let outputPictures: (any OutputPictures)?
        private var rasters = [Raster?](repeating: nil, count: FrameSlots.count)

        /// Allocates memory that the output can show directly or, if it offers none, private memory. Nil if out of
        /// memory.
        init?(_ size: PixelSize, output: (any SoftwareOutput)?) {
            let stride = FrameSlots.stride(of: size)
            outputPictures = output?.makePictures(size, stride: stride, count: FrameSlots.count)
            let memory = outputPictures?.memory ?? PrivatePicturesMemory(stride * FrameSlots.count)
            guard let memory else { return nil }
            slots = FrameSlots(size, in: memory)
        }

        /// Returns slot `index` as a raster, which is created on first use. Never nil: the type is optional only because
        /// `rasters` holds optionals.
        func raster(_ index: Int) -> Raster? {
            if rasters[index] == nil {
                rasters[index] = Raster(
                    .opaque, memory: slots.address(of: index), stride: slots.size.width * 4, size: slots.size)
            }
            return rasters[index]
        }
    }

    private static let lastGeneration = Atomic<Int>(0)
    private static func nextGeneration() -> Int { lastGeneration.wrappingAdd(1, ordering: .relaxed).newValue }

    /// - Parameter output: The output that shows a frame directly if nothing else in its window has changed; nil if
    ///   there is none.
    public init(output: (any SoftwareOutput)? = nil) { self.output = output }

    deinit { RenderLock.withLock { owner?.release() } }

    public var hasPicture: Bool { RenderLock.withLock { format != nil } }

    /// The brightness offset in steps of 1/255, -255…255.
    var brightnessLevels: Int { Int((min(max(brightnessOffset, -1), 1) * 255).rounded()) }

    /// Returns an allocator for frames of `size`. Such frames are drawn without a copy. Nil if the size is not
    /// supported, or if out of memory.
    public func allocator(for size: PixelSize) -> (any FrameAllocator)? {
        RenderLock.withLock { allocatorLocked(for: size) }
    }

    private func allocatorLocked(for size: PixelSize) -> (any FrameAllocator)? {
        if shared?.slots.size != size {
            shared = nil
            let limit = PixmanImage.sizeLimit
            guard !size.isEmpty, max(size.width, size.height) <= limit else { return nil }
            shared = SharedFrames(size, output: output)
        }
        return shared?.slots
    }

    /// Returns an allocator for frames of changing size. Each frame overwrites the current one. Nil if `size` is not
    /// supported, or if out of memory.
    public func overwritingAllocator(for size: PixelSize, capacity: PixelSize) -> (any FrameAllocator)? {
        RenderLock.withLock { overwritingAllocatorLocked(for: size, capacity: capacity) }
    }

    private func overwritingAllocatorLocked(
        for size: PixelSize, capacity: PixelSize
    ) -> (any FrameAllocator)? {
        if overwritten?.holds(size) == true { return overwritten }
        let limit = PixmanImage.sizeLimit
        let largest = PixelSize(
            width: min(max(size.width, capacity.width), limit), height: min(max(size.height, capacity.height), limit))
        guard !size.isEmpty, max(size.width, size.height) <= limit else { return nil }
        overwritten = OverwrittenFrame(capacity: largest)
        smallerCount = 0
        return overwritten
    }

    /// Returns the frame as a picture that the output can show directly in `rect`; nil if the frame must be drawn, for
    /// example because `rect` has another size.
    func outputPicture(in rect: PixelRect) -> OutputPicture? {
        guard case .shared(let shared, let index) = owner, let pictures = shared.outputPictures,
            brightnessLevels == 0,
            rect.size == raster?.size
        else { return nil }
        return OutputPicture(pictures: pictures, index: index, rect: rect, holds: shared.slots)
    }

    /// Makes `view`, which must be 8-bit RGB, the newest frame. Its pixels are copied before the call returns, unless
    /// they are in memory from one of the surface's allocators.
    ///
    /// - Parameter capacity: The largest size expected for the next frames. Copies are made in memory of that size.
    /// - Throws: `emptyPicture`, `tooLarge`, `unsupportedFormat` or `allocation`; the previous frame stays.
    public func upload(_ view: PixelView, capacity: PixelSize? = nil) throws(RenderingError) {
        try RenderLock.withLock { () throws(RenderingError) in try uploadLocked(view, capacity: capacity) }
    }

    private func uploadLocked(_ view: PixelView, capacity: PixelSize?) throws(RenderingError) {
        let format = view.format
        if let refusal = Self.refusal(of: format) { throw refusal }
        let plane = view[plane: 0]
        if let overwritten, plane.base == UnsafeRawPointer(overwritten.address), format.layout == .rgb(.bgra),
            plane.stride == format.size.width * 4
        {
            leaveMemory()
            storage = nil
            owner = .overwritten(overwritten)
            smallerCount = 0
            return pictureChanged(overwritten.frame(format.size), format)
        }
        if let shared, format.layout == .rgb(.bgra), format.size == shared.slots.size,
            plane.stride == format.size.width * 4, let index = shared.slots.claim(at: plane.base)
        {
            guard let raster = shared.raster(index) else {
                shared.slots.release(index)
                throw .allocation(format.size, code: 0)
            }
            leaveMemory()
            // A frame in a slot means that the size is no longer changing.
            storage = nil
            freeOverwrittenIfLarger(than: format.size)
            owner = .shared(shared, index: index)
            return pictureChanged(raster, format)
        }
        let raster = try prepare(format.size, capacity: capacity)
        if format.layout == .rgb(.bgra) {
            raster.copy(from: plane.base, stride: plane.stride, size: format.size)
        } else {
            // libyuv names the bytes of a word from the most significant one: ABGR has red first in memory.
            raster.withRows { rows, stride in
                _ = ABGRToARGB(
                    plane.base.assumingMemoryBound(to: UInt8.self), CInt(plane.stride),
                    rows.assumingMemoryBound(to: UInt8.self), CInt(stride), CInt(format.size.width),
                    CInt(format.size.height))
            }
        }
        pictureChanged(raster, format)
    }

    /// Frees the memory for frames of changing size after 300 consecutive smaller frames. Until then, the memory is
    /// kept for the next transition, because allocating it takes several milliseconds.
    private func freeOverwrittenIfLarger(than size: PixelSize) {
        guard let overwritten else { return }
        smallerCount = overwritten.isLarger(than: size) ? smallerCount + 1 : 0
        if smallerCount >= Self.oversizedLimit { self.overwritten = nil }
    }

    /// Makes the caller's memory the newest frame, without copying it. Each pixel consists of blue, green, red and an
    /// unused byte. The top row is first.
    ///
    /// - Parameters:
    ///   - memory: The first row, 4-byte aligned. Must not be written until `release` is called.
    ///   - stride: The bytes from one row to the next; a multiple of 4, at least four times the width, and at most 1
    ///     MiB.
    ///   - release: Called when the frame is replaced or removed, or when the surface is destroyed. Not called if
    ///     `adopt` throws.
    /// - Throws: `emptyPicture`, `tooLarge`, or `unsupportedFormat` if the address or the stride is not allowed; the
    ///   previous frame stays.
    public func adopt(
        memory: UnsafeMutableRawPointer, stride: Int, size: PixelSize, release: @escaping () -> Void
    ) throws(RenderingError) {
        let format = PixelFormat(size: size, layout: .rgb(.bgra), range: .full)
        if let refusal = Self.refusal(of: format) { throw refusal }
        guard stride >= size.width * 4, stride <= 1 << 20, stride % 4 == 0, UInt(bitPattern: memory) % 4 == 0 else {
            throw .unsupportedFormat(format)
        }
        RenderLock.withLock {
            let raster = Raster(.opaque, memory: memory, stride: stride, size: size)
            leaveMemory()
            storage = nil
            owner = .other(release: release)
            pictureChanged(raster, format)
        }
    }

    /// Calls `draw` with a raster of `size`, and makes the result the newest frame.
    ///
    /// - Throws: `emptyPicture`, `tooLarge` or `allocation`; the previous frame stays. If `draw` throws, its error; the
    ///   surface then has no frame.
    func capture(_ size: PixelSize, _ draw: (Raster) throws(RenderingError) -> Void) throws(RenderingError) {
        let format = PixelFormat(size: size, layout: .rgb(.bgra), range: .full)
        if let refusal = Self.refusal(of: format) { throw refusal }
        let raster = try prepare(size, capacity: nil)
        do throws(RenderingError) {
            try draw(raster)
        } catch {
            removePicture(keepsMemory: true)
            throw error
        }
        pictureChanged(raster, format)
    }

    /// Returns the pixels of the frame: see `VideoTarget.readPixels`.
    public func readPixels() -> [UInt8] { RenderLock.withLock { raster?.readPixels() ?? [] } }

    /// Drops the frame. If `keepsMemory` is true, the surface keeps its memory for the next frame. Otherwise, the
    /// memory is freed.
    public func removePicture(keepsMemory: Bool = false) {
        RenderLock.withLock {
            leaveMemory()
            raster = nil
            if !keepsMemory { (storage, shared, overwritten) = (nil, nil, nil) }
            format = nil
            generation = Self.nextGeneration()
        }
    }

    private func pictureChanged(_ raster: Raster, _ format: PixelFormat) {
        self.raster = raster
        self.format = format
        generation = Self.nextGeneration()
    }

    /// Returns the frame's memory to its owner, unless the surface itself owns it.
    private func leaveMemory() {
        guard let owner = owner.take() else { return }
        raster = nil
        owner.release()
    }

    /// Returns memory for a frame of `size`. The existing memory is reused if it is large enough for `capacity` too. If
    /// it has been larger than needed for 300 consecutive frames, it is replaced.
    private func prepare(_ size: PixelSize, capacity: PixelSize?) throws(RenderingError) -> Raster {
        let limit = PixmanImage.sizeLimit
        let needed = PixelSize(
            width: min(max(size.width, capacity?.width ?? 0), limit),
            height: min(max(size.height, capacity?.height ?? 0), limit))
        if let storage, storage.size.width >= needed.width, storage.size.height >= needed.height {
            oversizedCount = capacity != nil || storage.size == needed ? 0 : oversizedCount + 1
            if oversizedCount < Self.oversizedLimit {
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
        oversizedCount = 0
        leaveMemory()
        self.storage = storage
        return storage.size == size
            ? storage : storage.withRows { Raster(.opaque, memory: $0, stride: $1, size: size) }
    }

    /// Returns the reason why frames of `format` cannot be drawn directly; nil if they can.
    private static func refusal(of format: PixelFormat) -> RenderingError? {
        if format.size.isEmpty { return .emptyPicture }
        let limit = PixmanImage.sizeLimit
        if max(format.size.width, format.size.height) > limit { return .tooLarge(format.size, limit: limit) }
        guard case .rgb = format.layout, format.bitDepth == 8 else { return .unsupportedFormat(format) }
        return nil
    }
}
