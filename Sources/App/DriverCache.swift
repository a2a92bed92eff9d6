import Glibc
import Host
import Motion
import Rendering
import Windowing

/// What a rasterizer on the CPU keeps on disk of the code that it has compiled for the program's shaders.
///
/// Compiled when something is first drawn by it, a piece takes 20 to 40 ms (Mesa 22.3), which a film that runs does not have;
/// read back, about one. So the first film that is shown on a machine has all of it made beside it, once, by a process that works
/// only when nobody else wants to. What a driver makes of programs that it has in its cache differs from what it makes of
/// them at first: it takes three processes until nothing is missing.
enum DriverCache {
    /// The program's own command for it.
    static let command = "fill-driver-cache"
    static let rounds = 3
    /// Some 2 s of work, which may have to wait for a long while until nobody else wants the processor.
    static let longestRound = Duration.seconds(600)
    /// So long after the film's first frame, out of the way of its beginning.
    static let delay = Duration.seconds(2)

    /// Says for which build of the program it was made; beside the cache, which goes where Mesa puts it.
    static var marker: FilePath? {
        let elsewhere = getenv("MESA_SHADER_CACHE_DIR").map { FilePath(String(cString: $0)) }
        let folder = elsewhere?.appending("glissade".utf8) ?? BaseFolder.cache.ofGlissade
        return folder?.appending("driver-cache".utf8)
    }

    /// Has it made where it was not, for this build. Blocks until it is; any thread but the main one.
    ///
    /// Where the program is ended meanwhile, the next film has the rest made. Where one of the processes fails, it is left at
    /// that: what is drawn later fills the cache, too, as it does for another driver. Where it cannot be remembered, nothing
    /// is done.
    ///
    /// - Returns: whether it was begun now.
    @discardableResult static func fillOnce(
        marker: FilePath?, run: ([String]) -> Int32? = { ChildProcess.runSelf($0) }
    ) -> Bool {
        guard let marker, let identity = ChildProcess.identity else { return false }
        func note(_ done: Int) -> Bool {
            let draft = FilePath(bytes: marker.bytes + ".draft".utf8)
            return WholeFile.write(Array("\(identity) \(done)".utf8), to: marker, by: draft)
        }
        let text = String(decoding: WholeFile.read(marker, atMost: 1024) ?? [], as: UTF8.self)
        let done = (1...rounds).last { text == "\(identity) \($0)" } ?? 0
        if done == rounds { return false }
        WholeFile.makeFolder(marker.parent)
        guard note(done) else { return false }
        for round in done..<rounds {
            let isDone = run([command]) == 0
            guard note(isDone ? round + 1 : rounds), isDone else { break }
        }
        return true
    }
}

/// Draws once with each of the program's shaders in a window that is never shown: what the driver keeps of them on disk is
/// there then. Main thread; the process works only when nobody else wants the processor.
@MainActor public func fillDriverCache() -> ExitStatus {
    ChildProcess.endWithParent(within: DriverCache.longestRound)
    ChildProcess.workWhenIdle()
    // There is hardly anything to draw.
    setenv("LP_NUM_THREADS", "0", 1)
    do {
        let window = try Window(WindowOptions(size: Size(width: 64, height: 64)))
        let device = try GLDevice()
        let images = ImageTextures(device: device, isSlowAtFirst: true, makeSetter: StillMaker.init) {}
        let compositor = Compositor(device: device, images: images)
        for step in 0..<Compositor.warmUpSteps { try compositor.warmUp(step: step) }
        window.swap()
        return .done
    } catch {
        Console().error("\(error)")
        return .failed
    }
}

extension Application {
    /// Begins what the next film will want of the driver.
    func fillDriverCache(now: HostTime) {
        guard let firstShown, preparation.isTimeForDriverCache(now: now, firstShown: firstShown) else { return }
        guard compositor.device.isSoftware, window != nil, options.scenario == nil else { return }
        Host.Thread.detach(name: "driver cache") { DriverCache.fillOnce(marker: DriverCache.marker) }
    }
}
