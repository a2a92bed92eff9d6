public import Motion
public import Picture

/// A window that shows pictures without OpenGL, for as long as it needs none.
///
/// Where OpenGL is a rasterizer on the CPU, a film that fills its place pixel by pixel needs nothing of it: the driver
/// and its compiler would take more memory than the whole of the rest, and more time than all that comes before the
/// first frame. They are begun when something else is to be drawn. Main thread.
@MainActor public protocol DirectOutput: AnyObject {
    /// Whether there is no OpenGL context yet.
    var isDirect: Bool { get }
    /// Room for an opaque picture, blue first, row after row, that is shown from there; nil where there is none. The same
    /// room as before for the same size.
    func memory(for size: PixelSize) -> (any DirectMemory)?
    /// Lends room for pictures of that size to whoever makes them, while there is no context and after that; nil where there
    /// is none.
    func lender(for size: PixelSize) -> (any PictureMemory)?
    /// The room in which a picture lies that was made in what is lent: the window shows it from there, and whoever made it may
    /// give it back. Nil where it lies elsewhere.
    func claim(_ picture: PictureView) -> (any DirectMemory)?
}

/// Room from which a window shows a picture; gone with the last who has it.
@MainActor public protocol DirectMemory: AnyObject {
    var bytes: UnsafeMutableRawPointer { get }
    /// The picture is not shown any more, where it was claimed: another may be made there.
    func letGo()
}

extension GLDevice {
    /// What is asked of pictures before there is a context, where it is known that the CPU will draw: what Mesa's
    /// rasterizers on the CPU have in any case.
    public static let direct = GLDevice(
        renderer: "X11 shared memory", version: "", isSoftware: true, maxTextureSize: 8192, hasNorm16: true,
        hasBGRA: true, readsBGRA: true)
}

/// A picture that waits for OpenGL: in memory from which a window shows it, or, where that takes another form, in its own.
@MainActor final class HeldPicture {
    private(set) var format: PictureFormat
    private var memory: UnsafeMutableRawPointer?
    /// Nil where the memory is this object's.
    private(set) var shared: (any DirectMemory)?

    /// Copies `view`, unless it lies where the window shows it from.
    init(_ view: PictureView, for output: any DirectOutput) {
        format = view.format
        take(view, for: output)
    }

    isolated deinit { release() }

    private func release() {
        if let shared { shared.letGo() } else { memory?.deallocate() }
        memory = nil
        shared = nil
    }

    /// Takes `view` in the place of the picture before.
    func take(_ view: PictureView, for output: any DirectOutput) {
        let isShowable = view.format.layout == .rgb(.bgra)
        if isShowable, let place = output.claim(view) {
            // The one before is let go after that: it may be the same.
            release()
            (format, memory, shared) = (view.format, place.bytes, place)
            return
        }
        let room = isShowable ? output.memory(for: view.format.size) : nil
        if room == nil, shared != nil || format != view.format || memory == nil {
            release()
            format = view.format
            let byteCount = (0..<format.planeCount).reduce(0) { $0 + planeBytes($1) }
            memory = .allocate(byteCount: max(1, byteCount), alignment: 64)
        } else if let room {
            release()
            format = view.format
            memory = room.bytes
            shared = room
        }
        guard var target = memory else { return }
        for index in 0..<format.planeCount {
            let (plane, row) = (view[plane: index], rowBytes(index))
            if plane.stride == row {
                target.copyMemory(from: plane.base, byteCount: planeBytes(index))
            } else {
                for y in 0..<format.planeSize(index).height {
                    (target + y * row).copyMemory(from: plane.base + y * plane.stride, byteCount: row)
                }
            }
            target += planeBytes(index)
        }
    }

    private func rowBytes(_ plane: Int) -> Int { format.planeSize(plane).width * format.texelBytes(plane) }
    private func planeBytes(_ plane: Int) -> Int { rowBytes(plane) * format.planeSize(plane).height }

    func withPicture<E: Error>(_ body: (PictureView) throws(E) -> Void) throws(E) {
        guard let memory else { return }
        func plane(_ index: Int) -> PictureView.Plane? {
            guard index < format.planeCount else { return nil }
            return .init(base: memory + (0..<index).reduce(0) { $0 + planeBytes($1) }, stride: rowBytes(index))
        }
        guard let first = plane(0) else { return }
        try body(PictureView(format: format, first, plane(1), plane(2)))
    }
}
