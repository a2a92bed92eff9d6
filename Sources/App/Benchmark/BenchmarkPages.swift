import Layers
import Library
import Navigation
import Picture
import Time

/// What a measurement puts on the film's page, or beneath it, to see what more of it costs.
struct BenchmarkPages: Hashable, Sendable {
    /// Layers over the film.
    var layers = 0
    /// Nil leaves the stack as it is: the library beneath the film's page.
    var pagesBeneath: Int?
}

extension Application {
    /// Puts it there. With the context current: there are images among the layers.
    func carry(_ load: BenchmarkPages) {
        guard let playerPage else { return }
        if load.layers > 0 {
            let field = BenchmarkLayers.make(
                load.layers, in: surface.size, images: BenchmarkLayers.images(in: renderer))
            playerPage.layer.add(field)
        }
        if let count = load.pagesBeneath {
            let pages: [Page] = (0..<count).map { Self.linesPage($0) }
            try? stack.setStack(pages + [playerPage], animated: false, now: .now())
        }
    }

    /// A page that is full of text, as the details of a film are.
    private static func linesPage(_ index: Int) -> InfoPage {
        let page = InfoPage(title: "Page \(index + 1)") {}
        let lines = (1...40).map { MediaDetails.Line("Line \($0)", "What page \(index + 1) says in its line \($0)") }
        page.show([MediaDetails.Section(title: "Lines", lines: lines)])
        return page
    }
}
