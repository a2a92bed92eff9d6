import Foundation
import GlissadeGeometry
import GlissadeMedia
import GlissadePicture
import GlissadePlatform
import Testing
import GlissadeTestSupport
import GlissadeTime

@testable import GlissadeLibrary

/// What a page is told, and when.
@MainActor @Suite("Library index", .serialized) struct LibraryIndexTests {
    private let scene: Scene
    private let signal = WakeSignal()
    private let probe = MediaProbe(budget: .seconds(60))
    private let posters: PosterMaker

    init() throws {
        scene = try Scene()
        posters = PosterMaker(cache: PosterDiskCache(folder: BytePath(scene.path + "/.cache")), budget: .seconds(60))
    }

    private func index(_ folder: BytePath? = nil, posterBytes: Int = 32 << 20) -> LibraryIndex {
        let signal = signal
        return LibraryIndex(folder ?? scene.folder, probe: probe, posters: posters, posterBytes: posterBytes) {
            signal.raise()
        }
    }

    /// Takes news until something is so; nil where it never was.
    private func news(of index: LibraryIndex, until isSo: () -> Bool) -> [LibraryChange]? {
        var news: [LibraryChange] = []
        let came = signal.wait {
            news += index.drainChanges()
            return isSo()
        }
        return came ? news : nil
    }

    private func wait(_ index: LibraryIndex, until isSo: () -> Bool) -> Bool { news(of: index, until: isSo) != nil }

    private func isKnown(_ index: LibraryIndex, _ id: LibraryItem.ID) -> Bool {
        guard let details = index.details(of: id), details.summary != nil || details.failure != nil else {
            return false
        }
        if case .unknown = details.poster { return false }
        return true
    }

    private func poster(_ index: LibraryIndex, _ id: LibraryItem.ID) -> Bitmap? {
        guard case .ready(let bitmap) = index.details(of: id)?.poster else { return nil }
        return bitmap
    }

    @Test("A page gets its entries first, and then the details of the visible ones")
    func course() throws {
        try scene.subfolder("folder")
        try scene.file("film 2.mp4", try Films.film("red"))
        try scene.file("film 10.mp4", try Films.record())
        try scene.file("sound.flac", try Films.audio())
        try scene.file("broken.mp4", Data("nothing".utf8))
        try scene.file("empty.mp4", Data())
        let index = index()
        #expect(index.entries.isEmpty && !index.isRead)
        #expect(news(of: index) { index.isRead } == [.entries])
        #expect(
            index.entries.map(\.displayName) == [
                "folder", "broken.mp4", "empty.mp4", "film 2.mp4", "film 10.mp4", "sound.flac",
            ])
        let ids = index.entries.map(\.id)
        #expect(ids.allSatisfy { index.details(of: $0) == nil })
        index.request(visible: 0..<100)
        let told = try #require(news(of: index) { ids.dropFirst().allSatisfy { isKnown(index, $0) } })
        #expect(Set(told) == Set(ids.dropFirst().flatMap { [.details($0), .poster($0)] }))
        #expect(told.count == 10)
        // One thread for each: top down.
        #expect(told.filter { if case .details = $0 { true } else { false } } == ids.dropFirst().map { .details($0) })
        #expect(index.details(of: ids[0]) == nil)
        #expect(index.details(of: ids[1])?.failure == "not a media file, or too damaged to read")
        #expect(index.details(of: ids[2])?.failure == "the file is empty")
        let film = try #require(index.details(of: ids[3])?.summary)
        #expect(film.hasVideo && !film.hasAudio && film.displaySize == Size(width: 640, height: 360))
        #expect(film.duration == .seconds(2))
        let record = try #require(index.details(of: ids[4])?.summary)
        #expect(!record.hasVideo && record.hasAudio)
        let audio = try #require(index.details(of: ids[5])?.summary)
        #expect(!audio.hasVideo && audio.hasAudio && audio.displaySize == nil)
        #expect(ids.map { poster(index, $0) != nil } == [false, false, false, true, true, false])
        #expect(index.drainChanges().isEmpty)
    }

    @Test("A folder that cannot be read says why, and is read when it appears")
    func failure() throws {
        let folder = BytePath(scene.path + "/later")
        let index = index(folder)
        let error = FolderError(folder: folder, reason: "no such file or directory")
        #expect(news(of: index) { index.isRead } == [.failed(error)])
        #expect(index.failure == error && index.entries.isEmpty)
        try scene.subfolder("later")
        #expect(news(of: index) { index.failure == nil } == [.entries])
        try scene.file("later/a.mp4")
        #expect(wait(index) { index.entries.count == 1 })
        try scene.remove("later")
        #expect(wait(index) { index.failure == error })
        #expect(index.entries.count == 1, "what was there is still shown")
    }

    @Test("A replaced file is probed again, an unchanged one is not, and a removed one is forgotten")
    func changes() throws {
        try scene.file("a.mp4", try Films.film("red"))
        try scene.file("b.mp4", try Films.film("red"))
        try scene.file("c.mp4", try Films.film("red"))
        let index = index()
        #expect(wait(index) { index.isRead })
        let ids = index.entries.map(\.id)
        index.request(visible: 0..<3)
        #expect(wait(index) { ids.allSatisfy { isKnown(index, $0) } })
        try scene.file("b.mp4", Data("no film".utf8))
        try scene.remove("c.mp4")
        let told = try #require(
            news(of: index) {
                index.entries.count == 2 && isKnown(index, ids[1]) && index.details(of: ids[1])?.failure != nil
            })
        #expect(!told.contains(.details(ids[0])) && !told.contains(.poster(ids[0])))
        #expect(poster(index, ids[0]) != nil && poster(index, ids[1]) == nil)
        #expect(index.details(of: ids[2]) == nil && index.position(of: ids[2]) == nil)
        #expect(index.position(of: ids[1]) == 1)
    }

    @Test("Only visible entries and their neighborhood are probed")
    func neighbourhood() throws {
        for number in 0..<20 { try scene.file("\(number).mp4", Data("x".utf8)) }
        let index = index()
        #expect(wait(index) { index.isRead })
        let ids = index.entries.map(\.id)
        index.request(visible: 8..<10)
        #expect(wait(index) { (6..<12).allSatisfy { isKnown(index, ids[$0]) } })
        #expect((0..<20).filter { index.details(of: ids[$0]) != nil } == Array(6..<12))
        for range in [0..<0, -5..<3, 18..<400, 500..<600] { index.request(visible: range) }
        index.request(visible: 18..<400)
        #expect(wait(index) { (16..<20).allSatisfy { isKnown(index, ids[$0]) } })
    }

    @Test("During an animation nothing is read or decoded, and then it continues with the visible entries")
    func suspension() throws {
        for number in 0..<10 { try scene.file("\(number).mp4", try Films.film("red")) }
        let index = index()
        let other = self.index()
        #expect(wait(index) { index.isRead })
        #expect(wait(other) { other.isRead })
        index.suspend()
        other.suspend()
        index.request(visible: 0..<2)
        other.resume()
        index.request(visible: 9..<10)
        #expect(index.drainChanges().isEmpty)
        index.resume()
        #expect(wait(index) { (8..<10).allSatisfy { isKnown(index, index.entries[$0].id) } })
        #expect(index.details(of: index.entries[0].id) == nil)
    }

    @Test("Releasing a page while it is suspended or busy does not block other pages")
    func leaving() throws {
        for number in 0..<10 { try scene.file("\(number).mp4", try Films.film("red")) }
        for _ in 0..<5 {
            let index = index()
            #expect(wait(index) { index.isRead })
            index.request(visible: 0..<10)
            index.suspend()
        }
        let index = index()
        #expect(wait(index) { index.isRead })
        index.request(visible: 0..<10)
        #expect(wait(index) { index.entries.allSatisfy { isKnown(index, $0.id) } })
    }

    @Test("Posters out of sight are freed when memory is needed, and come back when visible again")
    func memory() throws {
        for number in 0..<6 { try scene.file("\(number).mp4", try Films.film("red")) }
        let index = index(posterBytes: 320 * 180 * 4 * 3)
        #expect(wait(index) { index.isRead })
        let ids = index.entries.map(\.id)
        index.request(visible: 0..<1)
        #expect(wait(index) { poster(index, ids[0]) != nil && poster(index, ids[1]) != nil })
        index.request(visible: 4..<6)
        #expect(wait(index) { poster(index, ids[4]) != nil && poster(index, ids[5]) != nil })
        #expect(wait(index) { ids.count { poster(index, $0) != nil } <= 3 })
        index.request(visible: 0..<1)
        #expect(wait(index) { poster(index, ids[0]) != nil })
    }

    @Test("Posters of pinned files are made first, from this folder or another, and freed with the pin")
    func pinned() throws {
        try scene.subfolder("here")
        for number in 0..<9 { try scene.file("here/\(number).mp4", try Films.film("red")) }
        let inside = try #require(LibraryItem(file: BytePath(scene.path + "/here/8.mp4")))
        let outside = try #require(LibraryItem(file: try scene.file("outside.mp4", try Films.film("red"))))
        let index = index(BytePath(scene.path + "/here"))
        index.suspend()
        index.setPinned([inside, outside])
        #expect(wait(index) { index.isRead })
        index.request(visible: 0..<2)
        index.resume()
        let told = try #require(news(of: index) { (0..<4).allSatisfy { isKnown(index, index.entries[$0].id) } })
        let posters = told.filter { if case .poster = $0 { true } else { false } }
        #expect(posters == [.poster(inside.id), .poster(outside.id)] + (0..<4).map { .poster(index.entries[$0].id) })
        #expect(poster(index, inside.id) != nil && poster(index, outside.id) != nil)
        // A change of the size limit makes them again.
        index.setPosterLimit(PixelSize(width: 64, height: 36))
        #expect(poster(index, outside.id) == nil)
        #expect(wait(index) { poster(index, inside.id) != nil && poster(index, outside.id) != nil })
        index.setPinned([inside])
        #expect(index.details(of: outside.id) == nil && poster(index, inside.id) != nil)
    }

    @Test("A pinned file that changes or goes loses its poster, and a folder or a missing file is no media file")
    func pinnedChanges() throws {
        let path = try scene.file("film.mp4", try Films.film("red"))
        let old = try #require(LibraryItem(file: path))
        #expect(old.kind == .video && old.displayName == "film.mp4" && old.byteCount > 0)
        #expect(LibraryItem(file: scene.folder) == nil && LibraryItem(file: scene.folder.appending("no".utf8)) == nil)
        let other = try scene.subfolder("other")
        let index = index(other)
        index.setPinned([old])
        #expect(wait(index) { index.isRead && poster(index, path) != nil })
        try scene.file("film.mp4", Data("no film".utf8))
        index.setPinned([try #require(LibraryItem(file: path))])
        #expect(poster(index, path) == nil)
        #expect(wait(index) { if case .absent? = index.details(of: path)?.poster { true } else { false } })
    }

    @Test("Posters of another size are made again and cached separately, and the old size can come back")
    func otherSize() throws {
        try scene.file("film.mp4", try Films.film("red"))
        let index = index()
        #expect(wait(index) { index.isRead })
        let id = index.entries[0].id
        index.request(visible: 0..<1)
        #expect(wait(index) { poster(index, id) != nil })
        let usual = try #require(poster(index, id)).size
        let small = PixelSize(width: 64, height: 36)
        index.setPosterLimit(small)
        #expect(poster(index, id) == nil)
        #expect(wait(index) { poster(index, id) != nil })
        let size = try #require(poster(index, id)).size
        #expect(size.width <= 64 && size.height <= 36 && size != usual)
        // What is asked for in quick succession ends with the last.
        for limit in [PosterMaker.limit, small, PosterMaker.limit] { index.setPosterLimit(limit) }
        #expect(wait(index) { poster(index, id)?.size == usual })
        #expect(index.posterLimit == PosterMaker.limit)
    }

    @Test("Files that vanish between listing and probing are reported as missing")
    func vanishing() throws {
        for number in 0..<50 { try scene.file("\(number).mp4", try Films.film("red")) }
        let index = index()
        #expect(wait(index) { index.isRead })
        index.request(visible: 0..<50)
        for number in 0..<50 { try scene.remove("\(number).mp4") }
        #expect(wait(index) { index.entries.isEmpty })
    }
}
