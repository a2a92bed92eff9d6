import GlissadeGeometry
import GlissadeNavigation
import GlissadeRendering
import Testing
import GlissadeTime

@testable import GlissadeApp
@testable import GlissadeBenchmark

/// What a measurement adds to the pages.
@Suite("Benchmark pages")
@MainActor struct BenchmarkPagesTests {
    private let library = Page()
    private let player = Page()
    private let stack: NavigationStack

    init() throws {
        stack = NavigationStack(root: library)
        try stack.push(player, animated: false, now: HostTime(nanoseconds: 0))
    }

    private func start(playerPage: Page?) -> StartPages {
        StartPages(
            stack: stack, playerPage: playerPage, size: Size(width: 640, height: 360),
            renderer: SoftwareRenderer(output: SoftwareMemoryOutput(), images: ImageCache()))
    }

    @Test("Nothing is added unless asked for, nor to the library")
    func nothing() {
        BenchmarkPages().add(to: start(playerPage: player))
        BenchmarkPages(layers: 10, pagesBeneath: 2).add(to: start(playerPage: nil))
        #expect(player.layer.sublayers.isEmpty)
        #expect(stack.pages.map(ObjectIdentifier.init) == [library, player].map(ObjectIdentifier.init))
    }

    @Test("Layers are added to the video's page")
    func layers() {
        BenchmarkPages(layers: 10).add(to: start(playerPage: player))
        #expect(player.layer.sublayers.map(\.sublayers.count) == [10])
        #expect(stack.pages.count == 2)
    }

    @Test("Pages are added beneath the video's page, in place of the library", arguments: [0, 1, 8])
    func pages(count: Int) {
        BenchmarkPages(pagesBeneath: count).add(to: start(playerPage: player))
        #expect(stack.pages.count == count + 1)
        #expect(stack.top === player)
        #expect(!stack.pages.contains { $0 === library })
    }
}
