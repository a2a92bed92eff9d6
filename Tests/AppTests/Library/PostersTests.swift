import GlissadeGeometry
import GlissadeLayers
import GlissadeMedia
import GlissadePicture
import GlissadePlatform
import GlissadeRendering
import Testing
import GlissadeTime
import GlissadeWindowing

@testable import GlissadeApp
@testable import GlissadeLibrary

/// Posters on the GPU: whose they are, and when they go and come back.
@MainActor @Suite("Poster textures") struct PostersTests {
    private let images: ImageCache
    private let posters: PosterTextures

    init() throws {
        images = ImageCache()
        posters = PosterTextures(images: images)
    }

    private func entry(_ name: String, seconds: Int64 = 0, byteCount: Int = 1) -> LibraryItem {
        LibraryItem(
            path: BytePath("/\(name)"), displayName: name, kind: .video, byteCount: byteCount,
            modified: FileTime(nanoseconds: seconds * 1_000_000_000))
    }

    private func details(_ width: Int = 16) -> LibraryItemDetails {
        var details = LibraryItemDetails()
        let size = PixelSize(width: width, height: 9)
        details.poster = .ready(
            Bitmap(size: size, pixels: [UInt8](repeating: 255, count: size.width * size.height * 4)))
        return details
    }

    @Test("A poster keeps its image as long as its file is unchanged, whatever happens to the bitmap")
    func steady() throws {
        #expect(posters.image(of: entry("a"), nil) == nil)
        let first = try #require(posters.image(of: entry("a"), details()))
        #expect(images.has(first.image) && first.size == Size(width: 16, height: 9))
        let second = try #require(posters.image(of: entry("a"), nil))
        #expect(second == first)
        #expect(try #require(posters.image(of: entry("b"), details())).image != first.image)
    }

    @Test("A changed file gets a new poster, and has none while it is made")
    func changed() throws {
        let old = try #require(posters.image(of: entry("a"), details()))
        for changed in [entry("a", seconds: 5), entry("a", seconds: 5, byteCount: 2)] {
            #expect(posters.image(of: changed, nil) == nil)
            #expect(!images.has(old.image) && images.byteCount == 0)
            let new = try #require(posters.image(of: changed, details(9)))
            #expect(new.size == Size(width: 9, height: 9) && images.has(new.image))
        }
    }

    @Test("Posters of removed entries are freed, and those of a page along with it")
    func gone() throws {
        let a = try #require(posters.image(of: entry("a"), details()))
        let b = try #require(posters.image(of: entry("b"), details()))
        posters.keep(only: [entry("b").id, entry("never").id])
        #expect(!images.has(a.image) && images.has(b.image))
        #expect(posters.image(of: entry("a"), nil) == nil)
        var other: PosterTextures? = PosterTextures(images: images)
        let c = try #require(other?.image(of: entry("a"), details()))
        other = nil
        #expect(!images.has(c.image) && images.has(b.image))
    }

    @Test("Images dropped by the GPU are restored under the same id while the library has them")
    func restored() throws {
        let a = try #require(posters.image(of: entry("a"), details()))
        let b = try #require(posters.image(of: entry("b"), details()))
        let kept = try #require(posters.image(of: entry("c"), details()))
        let foreign = ImageID(rawValue: .max)
        images.remove(a.image)
        images.remove(b.image)
        let restored = posters.restore([foreign, b.image, a.image, kept.image]) { id in
            id == entry("a").id ? details() : nil
        }
        #expect(restored == [entry("a").id])
        #expect(images.has(a.image) && !images.has(b.image) && !images.has(foreign))
        posters.keep(only: [])
        #expect(posters.restore([a.image]) { _ in details() }.isEmpty && images.byteCount == 0)
    }
}
