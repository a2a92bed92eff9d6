import CGLFW
import Gestures
import Glibc
import Host
public import Motion
public import Picture
public import Rendering
import Stage
import Synchronization

/// Shows a film in a window of an X server's without OpenGL, out of memory that both share, until more than that is to be
/// seen. Main thread, but for the driver, which is begun on a thread of its own.
///
/// Measured with Mesa 22.3, whose rasterizer brings a compiler along, over a film of 1920×1080 in a window of 1280×720: a peak
/// of 138 MiB instead of 205, the standard library being linked in, and the first frame after 81 ms instead of 151. The driver
/// is begun by the first sign of a hand, a round of the loop later where that was answered without it, and by the first frame
/// that has more to show than rectangles and a picture pixel by pixel. The hand's events wait for it, but for those that need
/// nothing of it.
@MainActor public final class DirectPictures: DirectOutput {
    public private(set) var isDirect = true
    private var hasShown = false
    /// Whether who draws wants to make ready for a hand before it comes: see `admitHand`.
    var isHandForClient = false
    private var isHandAdmitted = false
    /// What of a hand's doing need not wait: see `Window.answersAtOnce`.
    var answersAtOnce: (@MainActor (InputEvent) -> Bool)?
    private let xshm: GlissadeXShm
    private let display: UnsafeMutableRawPointer
    private let window: GlissadeXID
    private let context: UnsafeMutableRawPointer
    private let driver: DriverStart
    private var pictures: SharedPictures?
    private var hasLent = false
    /// What of a rectangle is to be painted; kept for their storage.
    private var (pieces, nextPieces): ([PixelRect], [PixelRect]) = ([], [])
    /// The size that the server had no memory for.
    private var refused: PixelSize?
    private var held: [WindowEvent] = []
    /// A hand was answered at once: with the next events the driver is begun. A program that ends by it needs none.
    private var wantsDriver = false
    private var detector = HandDetector()

    /// A window without a context, and what shows pictures in it; nil where OpenGL may be a GPU's work, the window system
    /// is another than X11, or its server is not on this machine.
    static func makeWindow(_ options: WindowOptions) -> (handle: OpaquePointer, pictures: DirectPictures)? {
        guard isDrawnByCPU else { return nil }
        var xshm = GlissadeXShm()
        guard glissade_load_xshm(&xshm) != 0 else { return nil }
        options.hint(GLFW_NO_API)
        guard
            let handle = glfwCreateWindow(
                WindowOptions.length(options.size.width), WindowOptions.length(options.size.height), options.title,
                nil, nil)
        else {
            _ = GLFW.takeError()
            return nil
        }
        guard let (display, window) = XWindow.names(of: handle), xshm.query(display) != 0,
            LentContext.isPossible(display), let context = xshm.create_gc(display, window, 0, nil)
        else {
            glfwDestroyWindow(handle)
            return nil
        }
        let pictures = DirectPictures(xshm, display, window, context, DriverStart(display, wake: options.wake))
        // Whether the server takes shared memory shows when it is asked to.
        guard pictures.room(for: PixelSize(width: 16, height: 16)) != nil else {
            pictures.end()
            glfwDestroyWindow(handle)
            return nil
        }
        return (handle, pictures)
    }

    private init(
        _ xshm: GlissadeXShm, _ display: UnsafeMutableRawPointer, _ window: GlissadeXID,
        _ context: UnsafeMutableRawPointer, _ driver: DriverStart
    ) {
        (self.xshm, self.display, self.window, self.context, self.driver) = (xshm, display, window, context, driver)
    }

    /// Whether it is certain, without asking a driver, that there is no GPU to draw: none has a device here, or Mesa was
    /// told not to use it.
    private static var isDrawnByCPU: Bool {
        // The variable is Mesa's: NVIDIA's own driver does not hear of it.
        if access("/dev/nvidiactl", F_OK) == 0 { return false }
        if let value = getenv("LIBGL_ALWAYS_SOFTWARE"), ["1", "true", "yes", "y"].contains(String(cString: value)) {
            return true
        }
        let devices = ["/dev/dri", "/dev/nvidia0", "/dev/dxg", "/dev/mali0", "/dev/kgsl-3d0"]
        return !devices.contains { (path: String) in access(path, F_OK) == 0 }
    }

    // MARK: - Pictures

    public func memory(for size: PixelSize) -> (any DirectMemory)? { room(for: size)?.own }

    public func lender(for size: PixelSize) -> (any PictureMemory)? {
        guard let shelf = room(for: size)?.shelf else { return nil }
        if !hasLent {
            hasLent = true
            // Given by the system now, while there is time, and not as the film's first picture is written.
            memset(shelf.address(of: 0), 0, shelf.stride)
        }
        return shelf
    }

    public func claim(_ picture: PictureView) -> (any DirectMemory)? {
        guard let pictures, picture.format.size == pictures.image.size else { return nil }
        return pictures.claim(at: picture[plane: 0].base)
    }

    private func room(for size: PixelSize) -> SharedPictures? {
        if let pictures, pictures.image.size == size { return pictures }
        guard isDirect, !size.isEmpty, size != refused, size.width <= 32767, size.height <= 32767 else { return nil }
        pictures = nil
        pictures = SharedPictures(size, xshm, display)
        if pictures == nil { refused = size }
        return pictures
    }

    /// Shows `list`, as far as it is rectangles of one colour and pictures pixel by pixel; where it is more, that waits for
    /// the driver. Returns when the server has taken it.
    func show(_ list: DisplayList, surfaces: (SurfaceID) -> SurfaceTexture?) {
        let bounds = PixelRect(minX: 0, minY: 0, maxX: list.viewport.width, maxY: list.viewport.height)
        var isWhole = true
        for (index, item) in list.items.enumerated() {
            switch item {
            case .fill(let rect, let color):
                // What is painted is on the screen at once: nothing is where something else comes.
                if color.isOpaque {
                    fill(rect.intersection(bounds), color, beneath: list.items[(index + 1)...])
                } else {
                    isWhole = false
                }
            case .surface(let placement):
                let clip = placement.clip.intersection(placement.destination).intersection(bounds)
                if clip.isEmpty || placement.opacity <= 0 { continue }
                let isPlain =
                    placement.rotation == .none && placement.turn == 0 && placement.opacity >= 1
                    && !(placement.shade > 0) && !(placement.cornerRadius > 0)
                guard let texture = surfaces(placement.surface), let size = texture.format?.size else {
                    if placement.turn == 0, placement.opacity >= 1, !(placement.cornerRadius > 0) {
                        fill(clip, .black)
                    } else {
                        isWhole = false
                    }
                    continue
                }
                if isPlain, size == placement.destination.size,
                    let picture = texture.directMemory as? SharedPictures.Room, picture.image.size == size
                {
                    put(picture.image.pointing(at: picture.bytes), clip, from: placement.destination)
                } else {
                    isWhole = false
                }
            case .box, .image, .shadow:
                isWhole = false
            }
        }
        // The server reads the memory until then; the next picture may be written now.
        _ = xshm.sync(display, 0)
        if !isWhole { driver.begin() }
    }

    private func fill(_ rect: PixelRect, _ color: Color, beneath items: ArraySlice<DisplayList.Item>) {
        pieces.removeAll(keepingCapacity: true)
        if !rect.isEmpty { pieces.append(rect) }
        for item in items {
            guard let cover = item.opaqueExtent, !cover.intersection(rect).isEmpty else { continue }
            nextPieces.removeAll(keepingCapacity: true)
            for piece in pieces { piece.subtract(cover, into: &nextPieces) }
            swap(&pieces, &nextPieces)
        }
        for piece in pieces { fill(piece, color) }
    }

    /// Paints all of a window of `size` but `part`, whether there is a context by now or not.
    func fill(around part: PixelRect, of size: PixelSize, _ color: Color) {
        pieces.removeAll(keepingCapacity: true)
        PixelRect(size: size).subtract(part, into: &pieces)
        for piece in pieces { fill(piece, color) }
    }

    private func fill(_ rect: PixelRect, _ color: Color) {
        guard !rect.isEmpty else { return }
        func byte(_ component: Double) -> UInt { UInt((min(max(component, 0), 1) * 255).rounded()) }
        _ = xshm.set_foreground(display, context, byte(color.red) << 16 | byte(color.green) << 8 | byte(color.blue))
        _ = xshm.fill(
            display, window, context, Int32(rect.minX), Int32(rect.minY), UInt32(rect.width), UInt32(rect.height))
    }

    private func put(_ image: UnsafeMutablePointer<GlissadeXImage>, _ clip: PixelRect, from place: PixelRect) {
        _ = xshm.put(
            display, window, context, image, Int32(clip.minX - place.minX), Int32(clip.minY - place.minY),
            Int32(clip.minX), Int32(clip.minY), UInt32(clip.width), UInt32(clip.height), 0)
    }

    // MARK: - The end of it

    /// Whether the driver has been begun.
    var hasBegunDriver: Bool { driver.hasBegun }

    /// Whether the driver has been begun, and a context is made at once; also where it failed, which the context will say.
    var isDriverReady: Bool { driver.isReady }

    /// There is a context. Pictures that are in memory here stay until they are taken over.
    func contextBegan() {
        isDirect = false
        pictures = nil
        driver.end()
    }

    /// Something was drawn with the context: what a first draw takes is over.
    func contextShown() {
        if hasShown { return }
        hasShown = true
        // A loop that would sleep now has the hand's events to take.
        driver.wake()
    }

    func end() {
        pictures = nil
        _ = xshm.free_gc(display, context)
        driver.end()
    }

    /// Whether what a hand did waits for `admitHand`, and nothing else.
    var isHandWaiting: Bool { expectsHand && !held.isEmpty }

    /// Whether it would.
    var expectsHand: Bool { hasShown && isHandForClient && !isHandAdmitted }

    /// What a hand did comes with the next events, if there is something to draw its doing with.
    func admitHand() {
        if isHandAdmitted { return }
        isHandAdmitted = true
        driver.wake()
    }

    /// Takes what a hand does out of `events`, from its first sign on, until it can be answered by what is drawn.
    ///
    /// What stands when the driver is there is drawn once before it comes: a first draw takes longer than others, and so
    /// would one in a window that the hand's doing has changed. What the window system tells is never held up, nor is what
    /// needs nothing of that, unless something else waits that was done before it.
    /// - Parameter isSeen: whether anything is going to be drawn.
    func holdHand(_ events: inout [WindowEvent], isSeen: Bool) {
        if !isDirect, !isSeen || hasShown && (isHandAdmitted || !isHandForClient) {
            if held.isEmpty { return }
            events.insert(contentsOf: held, at: 0)
            held = []
            return
        }
        if isDirect, wantsDriver { driver.begin() }
        events.removeAll { event in
            guard event.isInput, isHand(event) || !held.isEmpty else { return false }
            wantsDriver = true
            if held.isEmpty, case .input(let input) = event, answersAtOnce?(input) == true { return false }
            held.append(event)
            return true
        }
        if isDirect, !held.isEmpty { driver.begin() }
    }

    private func isHand(_ event: WindowEvent) -> Bool {
        switch event {
        case .filesDropped: true
        case .input(let input): detector.isHand(input)
        default: false
        }
    }
}

extension WindowEvent {
    /// Whether it is somebody's doing, and not the window system's.
    fileprivate var isInput: Bool {
        switch self {
        case .input, .filesDropped: true
        default: false
        }
    }
}

/// The driver of OpenGL being loaded and begun, beside the frame loop: what takes long of making a context.
private final class DriverStart: Sendable {
    private struct State: ~Copyable {
        var hasBegun = false
        var thread: Host.Thread?
    }

    private let state = Mutex(State())
    private let ready = Atomic<Bool>(false)
    /// GLFW's connection to the server; an address, since pointers are nobody's to send.
    private let connection: UInt
    let wake: @Sendable () -> Void

    init(_ display: UnsafeMutableRawPointer, wake: @escaping @Sendable () -> Void) {
        connection = UInt(bitPattern: display)
        self.wake = wake
    }

    var hasBegun: Bool { state.withLock { $0.hasBegun } }
    var isReady: Bool { ready.load(ordering: .acquiring) }

    /// Once; nothing where it has begun.
    func begin() {
        state.withLock { state in
            guard !state.hasBegun else { return }
            state.hasBegun = true
            state.thread = try? Host.Thread(name: "driver") { [self] in
                if var glx = LentContext.load() {
                    _ = glissade_begin_driver(&glx, UnsafeMutableRawPointer(bitPattern: connection))
                }
                ready.store(true, ordering: .releasing)
                wake()
            }
            // Making the context loads it then.
            if state.thread == nil { ready.store(true, ordering: .releasing) }
        }
    }

    /// Waits for what has begun.
    func end() {
        let begun = state.withLock { $0.thread.take() }
        begun?.join()
    }
}
