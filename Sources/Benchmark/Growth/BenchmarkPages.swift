import GlissadeApp
import GlissadeLayers
import GlissadeLibrary
import GlissadeNavigation
import GlissadeTime

/// Layers and pages that are added to a run to measure their cost.
struct BenchmarkPages: Hashable, Sendable {
    /// The number of layers over the video.
    var layers = 0
    /// The number of pages that replace the library beneath the video's page; nil to keep the library.
    var pagesBeneath: Int?

    /// Adds the layers and pages to the pages of a run. The renderer's context must be current, because images are
    /// uploaded.
    @MainActor func add(to start: StartPages) {
        guard let playerPage = start.playerPage else { return }
        if layers > 0 {
            let images = BenchmarkLayers.images(in: start.renderer)
            playerPage.layer.add(BenchmarkLayers.make(layers, in: start.size, images: images))
        }
        if let pagesBeneath {
            let pages = (0..<pagesBeneath).map { Self.textPage($0, start) }
            try? start.stack.setStack(pages + [playerPage], animated: false, now: .now())
        }
    }

    /// Returns a page full of text, like the file details.
    @MainActor private static func textPage(_ index: Int, _ start: StartPages) -> Page {
        let lines = (1...40).map { MediaDetails.Line("Line \($0)", "What page \(index + 1) says in its line \($0)") }
        return start.makeInfoPage(
            title: "Page \(index + 1)", sections: [MediaDetails.Section(title: "Lines", lines: lines)])
    }
}
