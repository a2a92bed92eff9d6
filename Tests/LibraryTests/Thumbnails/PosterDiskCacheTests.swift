import Foundation
import GlissadeGeometry
import GlissadeMedia
import GlissadePicture
import GlissadePlatform
import Testing
import GlissadeTime

@testable import GlissadeLibrary

/// How posters are kept.
@Suite("Poster disk cache")
struct PosterDiskCacheTests {
    private let scene: Scene
    private let folder: BytePath

    init() throws {
        scene = try Scene()
        folder = BytePath(scene.path + "/a/posters")
    }

    /// A picture whose colour says which it is.
    private func picture(_ number: Int, width: Int = 64, height: Int = 36) -> Bitmap {
        let pixel: [UInt8] = [UInt8(number * 20), 100, 200, 255]
        return Bitmap(
            size: PixelSize(width: width, height: height),
            pixels: Array(repeatElement(pixel, count: width * height).joined()))
    }

    private func key(_ number: Int, byteCount: Int = 5) -> PosterKey {
        PosterKey(path: BytePath("/films/\(number).mp4"), byteCount: byteCount, modified: FileTime(nanoseconds: 7))
    }

    /// Which picture is kept; -1 for the knowledge that there is none.
    private func number(_ cache: PosterDiskCache, _ key: PosterKey) -> Int? {
        switch cache.load(key) {
        case .poster(let bitmap): Int((Double(bitmap.pixels[0]) / 20).rounded())
        case .absent: -1
        case nil: nil
        }
    }

    private func files() -> [String] {
        (try? FileManager.default.contentsOfDirectory(atPath: folder.location)) ?? []
    }

    @Test("A stored poster is found unchanged by another run of the program")
    func keeps() throws {
        PosterDiskCache(folder: folder).store(picture(3, width: 320, height: 180), for: key(1))
        let cache = PosterDiskCache(folder: folder)
        guard case .poster(let bitmap) = cache.load(key(1)) else {
            Issue.record("not found")
            return
        }
        #expect(bitmap.size == PixelSize(width: 320, height: 180))
        for (value, expected) in zip(bitmap.pixels[4000..<4003], [60, 100, 200]) {
            #expect(abs(Int(value) - expected) <= 3)
        }
        #expect(number(cache, key(2)) == nil)
        #expect(files().count == 1)
    }

    @Test("A changed file has no poster yet, and a file without a poster is remembered as such until it changes")
    func changes() throws {
        PosterDiskCache(folder: folder).store(nil, for: key(1))
        let cache = PosterDiskCache(folder: folder)
        #expect(number(cache, key(1)) == -1)
        #expect(number(cache, key(1, byteCount: 6)) == nil)
        var later = key(1)
        later.modified = FileTime(nanoseconds: 8)
        #expect(number(cache, later) == nil)
    }

    @Test("A damaged or truncated cache file is a miss")
    func damage() throws {
        let whole = try #require(PosterRecord.bytes(picture(2), for: key(1)))
        #expect(PosterRecord.poster(in: whole, for: key(1)) != nil)
        #expect(PosterRecord.poster(in: whole, for: key(2)) == nil)
        for index in whole.indices {
            var bytes = whole
            bytes[index] ^= 0x10
            #expect(PosterRecord.poster(in: bytes, for: key(1)) == nil)
        }
        for count in 0..<whole.count {
            #expect(PosterRecord.poster(in: Array(whole.prefix(count)), for: key(1)) == nil)
        }
        #expect(PosterRecord.poster(in: whole + [0], for: key(1)) == nil)

        let cache = PosterDiskCache(folder: folder)
        cache.store(picture(2), for: key(1))
        try Data(whole.prefix(100)).write(to: URL(fileURLWithPath: folder.location + "/" + key(1).fileName))
        #expect(number(cache, key(1)) == nil)
        cache.store(picture(4), for: key(1))
        #expect(number(cache, key(1)) == 4)
    }

    @Test("A cache folder that cannot be written, or is something else, acts as an empty cache")
    func unwritable() throws {
        let file = try scene.file("file").location
        for place in ["/proc/nowhere/posters", file + "/posters", file, "/dev/null"] {
            let cache = PosterDiskCache(folder: BytePath(place))
            cache.store(picture(1), for: key(1))
            #expect(number(cache, key(1)) == nil)
            // Within one run it is remembered all the same that a file yields nothing.
            cache.store(nil, for: key(2))
            #expect(number(cache, key(2)) == -1)
        }
        // A folder, a pipe, and a link to nowhere in a poster's place.
        AtomicFile.makeFolder(folder)
        let place = folder.location + "/" + key(1).fileName
        let cache = PosterDiskCache(folder: folder)
        #expect(mkfifo(place, 0o600) == 0)
        #expect(number(cache, key(1)) == nil)
        unlink(place)
        #expect(symlink("/nowhere", place) == 0)
        #expect(number(cache, key(1)) == nil)
        cache.store(picture(1), for: key(1))
        #expect(number(cache, key(1)) == 1)
        try FileManager.default.removeItem(atPath: place)
        try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: false)
        cache.store(picture(1), for: key(1))
        #expect(number(cache, key(1)) == nil)
        #expect(files().count == 1, "no draft is left over")
    }

    @Test("Beyond the limit the least recently used files are removed, and never foreign files")
    func limit() throws {
        let sizes = try (0..<10).map { try #require(PosterRecord.bytes(picture($0), for: key($0))).count }
        let limit = sizes.reduce(0, +)
        let cache = PosterDiskCache(folder: folder, byteLimit: limit)
        AtomicFile.makeFolder(folder)
        try Data(count: limit * 5).write(to: URL(fileURLWithPath: folder.location + "/mine.txt"))
        for number in 0..<10 {
            cache.store(picture(number), for: key(number))
            // As if so many seconds had passed.
            var times = [timespec](repeating: timespec(tv_sec: 1000 + number, tv_nsec: 0), count: 2)
            utimensat(AT_FDCWD, folder.location + "/" + key(number).fileName, &times, 0)
        }
        #expect(number(cache, key(0)) == 0)  // Looked at just now.
        cache.store(picture(10), for: key(10))
        let left = (0...10).filter { number(cache, key($0)) != nil }
        #expect(left.contains(0) && left.contains(10) && !left.contains(1))
        #expect((7...9).contains(left.count))
        #expect(files().contains("mine.txt"))
    }

    @Test("Temporary files left over by a crash are removed after an hour")
    func drafts() throws {
        AtomicFile.makeFolder(folder)
        for name in [".1-1.draft", ".2-2.draft"] {
            try Data("x".utf8).write(to: URL(fileURLWithPath: folder.location + "/" + name))
        }
        var times = [timespec](repeating: timespec(tv_sec: 1000, tv_nsec: 0), count: 2)
        utimensat(AT_FDCWD, folder.location + "/.1-1.draft", &times, 0)
        PosterDiskCache(folder: folder).store(picture(1), for: key(1))
        #expect(Set(files()) == [".2-2.draft", key(1).fileName])
    }

    @Test("Cache files are images that any program can show, readable by the user only")
    func isJPEG() throws {
        PosterDiskCache(folder: folder).store(picture(3), for: key(1))
        let path = folder.location + "/" + key(1).fileName
        #expect(try MediaInfo(opening: path).displaySize == Size(width: 64, height: 36))
        var status = stat()
        #expect(stat(path, &status) == 0 && status.st_mode & 0o777 == 0o600)
        #expect(stat(folder.location, &status) == 0 && status.st_mode & 0o777 == 0o700)
    }

    @Test("Keys that differ in anything have different file names")
    func keyNames() {
        var keys = [key(1), key(2), key(1, byteCount: 6)]
        keys.append(PosterKey(path: BytePath("/films/1.mp4"), byteCount: 5, modified: FileTime(nanoseconds: -7)))
        keys.append(PosterKey(path: BytePath(bytes: [0xFF]), byteCount: 5, modified: FileTime(nanoseconds: 7)))
        #expect(Set(keys.map(\.fileName)).count == keys.count)
        #expect(Set(keys.map(\.bytes)).count == keys.count)
        #expect(keys[0].fileName.utf8.count == 32 + PosterKey.fileEnding.utf8.count)
    }
}
