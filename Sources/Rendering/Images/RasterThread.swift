import Geometry
import Glibc
import Layers
import Picture
import Platform

/// What a still texture is made of: text or an icon, in a box of a size.
struct RasterImageKey: Hashable, Sendable {
    let source: ImagePlacement.Source
    let size: PixelSize
    let scale: Double
}

/// A thread that sets text, with its queue. Any thread may ask; it starts with the first request and ends with `end`.
final class RasterThread: Sendable {
    private struct State {
        var requests: [RasterImageKey] = []
        var finished: [(RasterImageKey, Bitmap)] = []
        var isWarm = false
        var isEnding = false
        var thread: Thread?
    }

    /// More than a page has; what is asked for beyond that replaces the oldest. No more is finished either, until some is
    /// taken: a window that is not seen draws no frames.
    static let requestLimit = 512

    private let state = Monitor(State())
    private let makeSetter: @Sendable () -> any ImageRasterizer
    private let wake: @Sendable () -> Void

    /// - Parameter wake: called on the thread when something was finished.
    init(makeSetter: @escaping @Sendable () -> any ImageRasterizer, wake: @escaping @Sendable () -> Void) {
        self.makeSetter = makeSetter
        self.wake = wake
    }

    /// Asks for a bitmap. Returns the request that is given up for it, if one is.
    func request(_ key: RasterImageKey) -> RasterImageKey? {
        let (isRefused, dropped) = state.update { state -> (Bool, RasterImageKey?) in
            if state.thread == nil { state.thread = try? Thread(name: "stills") { [self] in run() } }
            guard state.thread != nil else { return (true, nil) }
            state.requests.append(key)
            return (false, state.requests.count > Self.requestLimit ? state.requests.removeFirst() : nil)
        }
        // Where no thread is to be had, who asks waits for it: a page without its text is of no use.
        if isRefused { finish(key, makeSetter()) }
        return dropped
    }

    /// Whether it has set something: the system's fonts are known to the process then.
    var isWarm: Bool { state.withLock { $0.isWarm } }

    var hasFinished: Bool { state.withLock { !$0.finished.isEmpty } }

    /// The oldest of what is finished.
    ///
    /// Asked in each frame: the thread is woken only where it may wait for room.
    func takeFinished() -> (RasterImageKey, Bitmap)? {
        guard hasFinished else { return nil }
        return state.update { $0.finished.isEmpty ? nil : $0.finished.removeFirst() }
    }

    /// Waits for the bitmap in hand, and for the thread. Nothing may be asked for after it.
    func end() {
        let thread = state.update { state in
            state.isEnding = true
            return state.thread.take()
        }
        thread?.join()
    }

    private func run() {
        // On Linux a thread has a niceness of its own. What is set comes a frame later then; a film's frame may not.
        setpriority(CInt(PRIO_PROCESS.rawValue), 0, 10)
        let setter = makeSetter()
        while true {
            let next: RasterImageKey?? = state.wait { state in
                if state.isEnding { return .some(nil) }
                if state.requests.isEmpty || state.finished.count >= Self.requestLimit { return nil }
                return .some(state.requests.removeFirst())
            }
            guard let key = next ?? nil else { return }
            finish(key, setter)
        }
    }

    private func finish(_ key: RasterImageKey, _ setter: any ImageRasterizer) {
        let bitmap = setter.bitmap(of: key.source, box: key.size, scale: key.scale)
        state.withLock { state in
            state.finished.append((key, bitmap))
            state.isWarm = true
        }
        wake()
    }
}
