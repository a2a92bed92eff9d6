import Foundation
import Testing
import GlissadeTime
import GlissadeScreenProbe

extension EndToEnd {
    @Suite("Page transition pixels", .enabled(if: Glissade.hasDisplay, "no display"))
    struct TransitionPictureTests {
        private let width = PageHarness.width
        private let height = PageHarness.height

        @Test("At two fifths of a transition every pixel is the pages' own, moved, dimmed and shadowed as specified")
        func midway() throws {
            try PageHarness.run(options: ["--paused", "--start", "2"]) { harness in
                let screen = harness.screen
                try screen.waitForFrame("2 s") { $0 == 60 }
                // The library in its final form: its row has its poster, light and dark as the film.
                try screen.press("Escape")
                let library = try screen.waitForStillPicture { picture in
                    (60..<130).contains { picture[40, $0] > 80 } && picture[20, height - 89] > 200
                }
                try harness.clickBar()
                let page = try screen.waitForStillPicture { $0.frame == 60 }
                try harness.hold(from: 100, by: 256) { _ in
                    let midway = try screen.waitForStillPicture { $0[256, 3] > 200 && $0[252, 3] < 200 }
                    expect(midway, page: page, library: library)
                }
            }
        }

        /// Compares, within 2 of 255, with what the style `system` comes to at a progress of 0.4.
        private func expect(_ midway: GreyPicture, page: GreyPicture, library: GreyPicture) {
            let (edge, progress) = (256, 0.4)
            let shift = Int((0.3 * (1 - progress) * Double(width)).rounded())
            let (dim, shadow, shadowWidth) = (0.1 * (1 - progress), 0.25 * (1 - progress), 21.0)
            var wrong: [(x: Int, y: Int, is: Int, wanted: Double)] = []
            // The library's small bar is not there while the film has its page.
            for y in 0..<height - PageHarness.barHeight {
                for x in 0..<width {
                    var wanted: Double
                    if x >= edge {
                        wanted = Double(page[x - edge, y])
                    } else {
                        let way = max(0, (Double(x) + 0.5 - (Double(edge) - shadowWidth)) / shadowWidth)
                        wanted = Double(library[x + shift, y]) * (1 - dim) * (1 - shadow * way)
                    }
                    if abs(Double(midway[x, y]) - wanted) > 2 { wrong.append((x, y, Int(midway[x, y]), wanted)) }
                }
            }
            #expect(wrong.isEmpty, "\(wrong.count) pixels, the first: \(wrong.prefix(5))")
            // The page reaches down to the window's lower edge.
            for x in edge..<width { #expect(midway[x, height - 1] == page[x - edge, height - 1]) }
        }
    }
}
