import GlissadeGeometry
import GlissadePicture
import GlissadePlatform
import Testing

@testable import GlissadeLibrary

/// Which posters stay in memory.
@Suite("Poster memory cache")
struct PosterMemoryCacheTests {
    private func poster() -> Bitmap { Bitmap(size: PixelSize(width: 1, height: 1), pixels: [0, 0, 0, 0]) }

    @Test("Posters longest out of sight are dropped first, and visible ones never")
    func order() throws {
        var cache = PosterMemoryCache<LibraryItem.ID>(byteLimit: 12)
        let ids = (0..<8).map { BytePath("\($0)") }
        func kept() -> [Int] { ids.indices.filter { cache[ids[$0]] != nil } }
        cache.see(ids[0..<2])
        for index in 0..<2 { cache.put(poster(), for: ids[index], isInSight: true) }
        cache.see(ids[1..<3])
        cache.put(poster(), for: ids[2], isInSight: true)
        #expect(kept() == [0, 1, 2])
        cache.put(poster(), for: ids[3], isInSight: false)
        #expect(kept() == [1, 2, 3] || kept() == [0, 1, 2])
        cache.see(ids[4..<8])
        for index in 4..<8 { cache.put(poster(), for: ids[index], isInSight: true) }
        #expect(kept() == [4, 5, 6, 7])
        #expect(cache.byteCount == 16)
        cache.put(poster(), for: ids[4], isInSight: true)
        #expect(cache.byteCount == 16)
        cache.remove(ids[4])
        cache.remove(ids[0])
        #expect(cache.byteCount == 12)
    }
}
