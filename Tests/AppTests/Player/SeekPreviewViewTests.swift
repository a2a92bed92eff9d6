import GlissadeGeometry
import GlissadeLayers
import Testing
import GlissadeTime

@testable import GlissadeApp

@Suite("Seek preview") @MainActor struct SeekPreviewViewTests {
    private func frame(height: Double, picture: Size = Size(width: 240, height: 135), chapter: String? = nil) -> Rect {
        let view = SeekPreviewView()
        view.show(
            SeekPreviewView.Content(
                time: "0:01", chapter: chapter, image: (ImageID(rawValue: 1), picture), hasPictures: true),
            at: Point(x: 240, y: height - 80), in: Rect(x: 8, y: 44, width: 464, height: height - 44),
            now: HostTime(nanoseconds: 0))
        return view.layer.frame
    }

    @Test(
        "The preview keeps below the title bar in low windows, and has its whole size in others",
        arguments: [nil, "One"])
    func low(chapter: String?) {
        #expect(frame(height: 270, chapter: chapter).minY >= 44)
        #expect(frame(height: 270).maxY == 270 - 80 - 10)
        #expect(frame(height: 720).size.width == 240 + 12 && frame(height: 720).size.height > 135)
        #expect(frame(height: 270).size.width < 240)
        // Never too small to tell anything.
        #expect(frame(height: 120).size.height >= 45)
    }
}
