import Foundation
import GlissadeGeometry
import GlissadeMedia
import GlissadePicture
import GlissadePlatform
import Testing
import GlissadeTestSupport
import GlissadeTime

@testable import GlissadeLibrary

/// How long previews are kept, and what is held open for them.
@MainActor @Suite("Seek preview caching", .serialized) struct PreviewCacheTests {
    private let scene: PreviewScene

    init() throws { scene = try PreviewScene() }

    /// The file's descriptors that this process has open.
    private func descriptors(of path: BytePath) -> Int {
        let folder = "/proc/self/fd"
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return names.filter {
            (try? FileManager.default.destinationOfSymbolicLink(atPath: "\(folder)/\($0)")) == path.location
        }.count
    }

    @Test("The file is opened with the first request and closed after a while without any")
    func idle() throws {
        let path = try scene.scene.file("film.mp4", try Films.steps())
        let previews = scene.previews(of: path.location)
        #expect(descriptors(of: path) == 0 && previews.releaseTime == nil)
        #expect(scene.preview(previews, at: 2)?.step == 2)
        #expect(descriptors(of: path) > 0)
        #expect(previews.releaseTime == scene.now + SeekPreviews.idleLimit)
        scene.pass(.seconds(29))
        previews.releaseIfIdle(now: scene.now)
        previews.awaitIdle()
        #expect(descriptors(of: path) > 0)
        scene.pass(.seconds(1))
        previews.releaseIfIdle(now: scene.now)
        previews.awaitIdle()
        #expect(descriptors(of: path) == 0 && previews.releaseTime == nil)
        #expect(scene.preview(previews, at: 7)?.step == 7, "and opened again when asked")
    }

    @Test("Releasing the previews closes their file")
    func end() throws {
        let path = try scene.scene.file("film.mp4", try Films.steps())
        var previews: SeekPreviews? = scene.previews(of: path.location)
        #expect(scene.preview(try #require(previews), at: 2) != nil)
        previews = nil
        // Its thread ends by itself.
        #expect(eventually { descriptors(of: path) == 0 })
    }

    @Test("Previews cached on disk are shown by another run of the program")
    func disk() throws {
        let path = try scene.scene.file("film.mp4", try Films.steps())
        let made = try #require(scene.preview(scene.previews(of: path.location), at: 5))
        #expect(scene.cachedFiles().count == 1)
        // Its pictures are told apart from newly made ones by another's standing in their place.
        let key = PosterKey(
            path: path, byteCount: try Films.steps().count, modified: try #require(modified(path)), place: made.time,
            limit: PixelSize(width: 240, height: 135))
        let other = Bitmap(
            size: PixelSize(width: 16, height: 9), pixels: Array(repeating: 255, count: 16 * 9 * 4))
        PosterDiskCache(folder: scene.cacheFolder).store(other, for: key)
        #expect(scene.preview(scene.previews(of: path.location), at: 5.2)?.bitmap.size == other.size)
        let larger = scene.previews(of: path.location, scale: 2)
        #expect(scene.preview(larger, at: 5)?.bitmap.size != other.size, "for another scale it is made again")
    }

    private func modified(_ path: BytePath) -> FileTime? {
        var status = stat()
        return path.withCString { stat($0, &status) } == 0 ? FileTime(status.st_mtim) : nil
    }

    @Test("A damaged cache file is made again, and a cache that cannot be written acts as an empty one")
    func badCache() throws {
        let path = try scene.scene.file("film.mp4", try Films.steps())
        #expect(scene.preview(scene.previews(of: path.location), at: 5)?.step == 5)
        let kept = scene.cacheFolder.appending(try #require(scene.cachedFiles().first).utf8)
        let whole = try Data(contentsOf: URL(fileURLWithPath: kept.location))
        for bad in [Data(), whole.prefix(whole.count / 2), Data(repeating: 7, count: 1 << 20)] {
            try bad.write(to: URL(fileURLWithPath: kept.location))
            #expect(scene.preview(scene.previews(of: path.location), at: 5)?.step == 5)
            #expect(try Data(contentsOf: URL(fileURLWithPath: kept.location)) == whole, "it was put right")
        }
        for place in ["/proc/nowhere/previews", path.location, "/dev/null", "/dev/full"] {
            let previews = scene.previews(of: path.location, cache: BytePath(place))
            #expect(scene.preview(previews, at: 3)?.step == 3)
        }
    }

    @Test("Memory is bounded: the preview requested longest ago is dropped")
    func memory() throws {
        var shelf = PosterMemoryCache<Duration>(byteLimit: 3 * 16)
        let bitmap = Bitmap(size: PixelSize(width: 2, height: 2), pixels: Array(repeating: 1, count: 16))
        for second in 0..<4 {
            if second == 3 { shelf.see([.seconds(0)]) }
            shelf.see([.seconds(second)])
            shelf.put(bitmap, for: .seconds(second), isInSight: true)
        }
        #expect((0..<4).map { shelf[.seconds($0)] != nil } == [true, false, true, true])
        let path = try scene.scene.file("film.mp4", try Films.steps())
        let previews = scene.previews(of: path.location, memoryBytes: 1)
        for step in [1, 2, 1, 3, 1] { #expect(scene.preview(previews, at: Double(step))?.step == step) }
    }

    @Test("A replaced file is shown in its old version while it is open, and in the new one afterwards")
    func replaced() throws {
        let path = try scene.scene.file("film.mp4", try Films.steps())
        let previews = scene.previews(of: path.location)
        #expect(scene.preview(previews, at: 3)?.step == 3)
        let other = try scene.scene.file("other.mp4", try Films.film("white"))
        #expect(rename(other.location, path.location) == 0)
        #expect(scene.preview(previews, at: 6)?.step == 6, "the file that plays is still held open")
        scene.pass(.seconds(60))
        previews.releaseIfIdle(now: scene.now)
        previews.awaitIdle()
        let preview = try #require(scene.preview(previews, at: 1))
        #expect(preview.bitmap.meanLuma > 245)
    }

    @Test("A file overwritten in place is shown as it is now")
    func overwritten() throws {
        let path = try scene.scene.file("film.mp4", try Films.steps())
        let previews = scene.previews(of: path.location)
        #expect(scene.preview(previews, at: 0)?.step == 0)
        let white = try Films.sized("320x180", codec: ["-c:v", "libx264"], kind: "mp4")
        let handle = try FileHandle(forWritingTo: URL(fileURLWithPath: path.location))
        try handle.truncate(atOffset: 0)
        try handle.write(contentsOf: white)
        try handle.close()
        let preview = try #require(scene.preview(previews, at: 0.1))
        #expect(preview.bitmap.meanLuma > 245)
    }

    @Test("A video that blocks the thread gets no further previews")
    func stuck() {
        let (hung, begun) = (Monitor(false), Monitor(0))
        let worker = SeekPreviews.makeQueue(JobLimits(budget: .seconds(60), longestWait: .milliseconds(20))) {
            { _, _ in
                begun.update { $0 += 1 }
                _ = hung.wait { $0 ? () : nil }
            }
        }
        let owner = worker.newOwner()
        func ask() { worker.want([.make(near: .zero, answer: { _ in })], by: owner) }
        ask()
        #expect(begun.wait(until: .now() + .seconds(30)) { $0 == 1 ? true : nil } == true)
        for _ in 0..<5 {
            ask()
            worker.awaitIdle()
        }
        #expect(begun.withLock { $0 } == 1)
        hung.update { $0 = true }
    }

    @Test("A preview that is no longer wanted is not reported")
    func cancelling() throws {
        let previews = try scene.previews(of: try Films.steps())
        previews.suspend()
        previews.request(at: .seconds(6), now: scene.now)
        previews.cancel()
        previews.resume()
        previews.awaitIdle()
        #expect(previews.take() == nil)
    }
}
