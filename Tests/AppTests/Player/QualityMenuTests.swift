import GlissadeMedia
import Testing

@testable import GlissadeApp

@MainActor @Suite("The quality menu")
struct QualityMenuTests {
    private func variant(_ height: Int?, _ frameRate: Double?) -> StreamVariant {
        StreamVariant(videoTrack: 0, height: height, frameRate: frameRate, bitRate: nil)
    }

    @Test("A variant is named by its height and its frame rate, as far as they are known")
    func labels() {
        #expect(QualityMenu.label(variant(1080, 50)) == "1080p, 50 fps")
        #expect(QualityMenu.label(variant(720, 30000.0 / 1001)) == "720p, 29.97 fps")
        #expect(QualityMenu.label(variant(720, 24.05)) == "720p, 24.05 fps")
        #expect(QualityMenu.label(variant(360, nil)) == "360p")
        #expect(QualityMenu.label(variant(nil, nil)) == "Unknown size")
        #expect(QualityMenu.label(variant(.max, .infinity)) == "Unknown size")
    }

    @Test(
        "A bit rate is given in the larger unit once it reaches it",
        arguments: [
            (1, "0 kbit/s"), (180_000, "180 kbit/s"), (999_499, "999 kbit/s"), (999_500, "1 Mbit/s"),
            (2_449_999, "2.4 Mbit/s"), (9_960_000, "10 Mbit/s"), (25_000_000, "25 Mbit/s"),
            (10_000_000_000, "10000 Mbit/s"),
        ])
    func rates(bitRate: Int, text: String) { #expect(QualityMenu.rate(bitRate) == text) }
}
