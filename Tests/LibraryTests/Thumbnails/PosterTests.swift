import Foundation
import GlissadeGeometry
import GlissadeMedia
import GlissadePicture
import Testing
import GlissadeTestSupport
import GlissadeTime

@testable import GlissadeLibrary

/// Which picture stands for a medium.
@Suite("Poster maker")
struct PosterTests {
    private func answer(
        _ data: Data, name: String = "film.mp4", cache: PosterDiskCache = PosterDiskCache(folder: nil),
        budget: Duration = .seconds(60)
    ) throws -> PosterMaker.Answer {
        let scene = try Scene()
        return PosterMaker.make(try scene.file(name, data), cache, TimeBudget(budget) { true })
    }

    private func poster(_ data: Data, name: String = "film.mp4") throws -> Bitmap {
        guard case .poster(let bitmap) = try answer(data, name: name) else {
            throw Missing()
        }
        return bitmap
    }

    private struct Missing: Error {}

    /// Red, green and blue in the middle.
    private func middle(_ bitmap: Bitmap) -> [Int] {
        let pixel = (bitmap.size.height / 2 * bitmap.size.width + bitmap.size.width / 2) * 4
        return [2, 1, 0].map { Int(bitmap.pixels[pixel + $0]) }
    }

    private func isNear(_ color: [Int], _ other: [Int]) -> Bool { zip(color, other).allSatisfy { abs($0 - $1) <= 6 } }

    @Test("A video's poster is one of its frames, in its colors", arguments: ["mp4", "mkv", "ts", "avi", "h264"])
    func film(kind: String) throws {
        let bitmap = try poster(try Films.film("red", kind), name: "film.\(kind)")
        #expect(bitmap.size == PixelSize(width: 320, height: 180))
        #expect(isNear(middle(bitmap), [255, 0, 0]))
    }

    @Test("A poster is upright with square pixels")
    func shape() throws {
        #expect(try poster(try Films.turned()).size == PixelSize(width: 101, height: 180))
        #expect(try poster(try Films.wide(), name: "wide.mkv").size == PixelSize(width: 320, height: 120))
    }

    @Test("An audio file's poster is its cover, and without a cover there is none")
    func audio() throws {
        let bitmap = try poster(try Films.record(), name: "record.mp3")
        #expect(bitmap.size == PixelSize(width: 180, height: 180))
        #expect(isNear(middle(bitmap), [0, 0, 255]))
        guard case .absent = try answer(try Films.audio(), name: "sound.flac") else {
            Issue.record("a poster of a tone")
            return
        }
    }

    @Test("A black beginning is skipped, at keyframes or between them", arguments: [25, 1000])
    func black(interval: Int) throws {
        #expect(isNear(middle(try poster(try Films.lateLight(interval: interval))), [255, 255, 255]))
    }

    @Test("A video that is black throughout has a black poster")
    func allBlack() throws {
        #expect(isNear(middle(try poster(try Films.film("black"))), [0, 0, 0]))
    }

    @Test("A file that is not a video has no poster", arguments: ["film.mp4", "film.mkv", "film.mp3", "film.ts"])
    func noFilm(name: String) throws {
        for data in [
            Data.noise(count: 100_000, seed: 1), Data("#EXTM3U\n/etc/passwd\n".utf8), Data(count: 5000), Data([0]),
        ] {
            if case .poster = try answer(data, name: name) { Issue.record("a poster of nothing") }
        }
    }

    @Test("Any damage to a video gives a poster or none, in bounded time", arguments: ["mp4", "mkv", "ts", "avi"])
    func damage(kind: String) throws {
        let whole = try Films.grainy(kind)
        for round in 0..<6 {
            let data = whole.damaged(at: whole.count / (50 << round), seed: UInt64(round))
            if case .failed = try answer(data, name: "film.\(kind)") { Issue.record("round \(round) took too long") }
            _ = try answer(whole.prefix(whole.count * round / 6), name: "film.\(kind)")
        }
    }

    @Test("Pipes, folders, dangling links and missing files fail at once and can be tried again")
    func noFile() throws {
        let scene = try Scene()
        #expect(mkfifo(scene.path + "/pipe.mp4", 0o600) == 0)
        #expect(symlink("nowhere", scene.path + "/link.mp4") == 0)
        try scene.subfolder("folder.mp4")
        try scene.file("empty.mp4", Data())
        for name in ["pipe.mp4", "link.mp4", "folder.mp4", "empty.mp4", "gone.mp4"] {
            let budget = TimeBudget(.seconds(60)) { true }
            let answer = PosterMaker.make(scene.folder.appending(name.utf8), PosterDiskCache(folder: nil), budget)
            guard case .failed = answer else {
                Issue.record("\(name) has a poster")
                continue
            }
        }
    }

    @Test("A file that takes too long is left without a verdict")
    func tooLong() throws {
        let scene = try Scene()
        let file = try scene.file("film.mp4", try Films.film("red"))
        let cache = PosterDiskCache(folder: BytePath(scene.path + "/cache"))
        guard case .failed = PosterMaker.make(file, cache, TimeBudget(.seconds(-1)) { true }) else {
            Issue.record("a poster without the time for it")
            return
        }
        guard case .failed = PosterMaker.make(file, cache, TimeBudget(.seconds(60)) { false }) else {
            Issue.record("a poster that nobody wants")
            return
        }
        guard case .poster = PosterMaker.make(file, cache, TimeBudget(.seconds(60)) { true }) else {
            Issue.record("no poster at the second try")
            return
        }
    }

    @Test("A file whose name is not valid text has a poster")
    func notText() throws {
        let scene = try Scene()
        let file = try scene.file([0xFF, 0xFE] + Array(".mp4".utf8), try Films.film("red"))
        guard case .poster = PosterMaker.make(file, PosterDiskCache(folder: nil), TimeBudget(.seconds(60)) { true })
        else {
            Issue.record("no poster")
            return
        }
        #expect(try MediaInfo(opening: file.location).videoTrack == 0)
    }
}
