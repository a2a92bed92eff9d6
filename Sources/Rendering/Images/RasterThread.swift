import Glibc
import GlissadeLayers
import GlissadePlatform

/// Rasterizes queued text and icons on a thread of its own, which the first request starts and `end` ends.
///
/// Threads: any. The raster thread makes and uses its own rasterizer. `request` and `takeFinished` do not wait for the
/// thread. If the thread cannot be started, `request` rasterizes on the calling thread.
final class RasterThread: Sendable {
    private struct State {
        var requests: [RasterImageKey] = []
        var finished: [(RasterImageKey, RasterizedImage)] = []
        var isWarm = false
        var isEnding = false
        var thread: NamedThread?
    }

    /// The maximum number of requests in the queue. Each further request drops the oldest one. The thread also pauses
    /// while this many results wait to be taken.
    static let requestLimit = 512

    private let state = Monitor(State())
    private let makeRasterizer: @Sendable () -> any ImageRasterizer
    private let wake: @Sendable () -> Void

    /// - Parameter wake: Called when an image is finished, on the thread that rasterized it.
    init(makeRasterizer: @escaping @Sendable () -> any ImageRasterizer, wake: @escaping @Sendable () -> Void) {
        self.makeRasterizer = makeRasterizer
        self.wake = wake
    }

    /// Requests the rasterization of text or an icon. Returns the request that was dropped to make room, if any.
    func request(_ key: RasterImageKey) -> RasterImageKey? {
        let (isRefused, dropped) = state.update { state -> (Bool, RasterImageKey?) in
            if state.thread == nil { state.thread = try? NamedThread(name: "rasterizer") { [self] in run() } }
            guard state.thread != nil else { return (true, nil) }
            state.requests.append(key)
            return (false, state.requests.count > Self.requestLimit ? state.requests.removeFirst() : nil)
        }
        // If the thread cannot be started, the caller rasterizes: a page without its text is useless.
        if isRefused { finish(key, makeRasterizer()) }
        return dropped
    }

    /// Whether a request has ever been finished.
    var isWarm: Bool { state.withLock { $0.isWarm } }

    var hasFinished: Bool { state.withLock { !$0.finished.isEmpty } }

    /// Returns and removes the oldest result; nil if there is none.
    ///
    /// Does not wake the raster thread if there is no result.
    func takeFinished() -> (RasterImageKey, RasterizedImage)? {
        guard hasFinished else { return nil }
        return state.update { $0.finished.isEmpty ? nil : $0.finished.removeFirst() }
    }

    /// Ends the thread after its current image, and waits for the end. No requests may follow.
    func end() {
        let thread = state.update { state in
            state.isEnding = true
            return state.thread.take()
        }
        thread?.join()
    }

    private func run() {
        // This thread gives way to the others, since text may appear a frame late, but a film's frame may not. On Linux
        // each thread has its own niceness.
        setpriority(CInt(PRIO_PROCESS.rawValue), 0, 10)
        let rasterizer = makeRasterizer()
        while true {
            let next: RasterImageKey?? = state.wait { state in
                if state.isEnding { return .some(nil) }
                if state.requests.isEmpty || state.finished.count >= Self.requestLimit { return nil }
                return .some(state.requests.removeFirst())
            }
            guard let key = next ?? nil else { return }
            finish(key, rasterizer)
        }
    }

    private func finish(_ key: RasterImageKey, _ rasterizer: any ImageRasterizer) {
        let image = rasterizer.raster(of: key)
        state.withLock { state in
            state.finished.append((key, image))
            state.isWarm = true
        }
        wake()
    }
}
