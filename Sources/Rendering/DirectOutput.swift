public import Motion
import Picture

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
    /// The picture has gone over to OpenGL.
    func forgetMemory()
}

/// Memory from which a window shows pictures; gone with the last who has it.
@MainActor public protocol DirectMemory: AnyObject {
    var bytes: UnsafeMutableRawPointer { get }
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
    private var shared: (any DirectMemory)?

    /// Whether a window can show it as it is.
    var isShowable: Bool { shared != nil }

    /// Copies `view`.
    init(_ view: PictureView, for output: any DirectOutput) {
        format = view.format
        take(view, for: output)
    }

    isolated deinit { release() }

    private func release() {
        if shared == nil { memory?.deallocate() }
        memory = nil
        shared = nil
    }

    /// Copies `view` in the place of the picture before.
    func take(_ view: PictureView, for output: any DirectOutput) {
        let room = view.format.layout == .rgb(.bgra) ? output.memory(for: view.format.size) : nil
        if room == nil, isShowable || format != view.format || memory == nil {
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
