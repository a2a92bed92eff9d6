import GlissadeMedia
import GlissadePicture
import Testing
import GlissadeTestSupport

@testable import GlissadeSubtitles

@MainActor @Suite("Colors of scripts") struct ScriptColorTests {
    /// The color of a rectangle of (32, 192, 64) in a script with `header`, in a film with a matrix.
    private func color(_ header: String, film: ColorMatrix?) throws -> [Int] {
        let lines = ["0:00:00.00,0:00:05.00,{\\pos(100,100)\\p1\\bord0\\c&H40C020&}m 0 0 l 200 0 200 100 0 100"]
        let script = Script.ass(lines).replacing("PlayResX", with: header + "PlayResX")
        let harness = SubtitleHarness()
        harness.subtitles.filmMatrix = film
        let name = "color-\(header.filter { $0.isLetter || $0.isNumber }).ass"
        #expect(harness.open(try Script.file(name, script)) == .ready)
        #expect(harness.place(at: 1) != nil)
        let bitmap = try #require(harness.picture?.bitmap)
        let middle = (bitmap.size.height / 2 * bitmap.size.width + bitmap.size.width / 2) * 4
        return [2, 1, 0].map { Int(bitmap.pixels[middle + $0]) }
    }

    private static let own = [32, 192, 64]
    /// Luma and chroma by BT.601, turned into a color by BT.709. mpv shows (19, 169, 59).
    private static let of601In709 = [20, 169, 61]

    @Test(
        "Colors of a BT.601 script, and of one that does not say, change in a BT.709 film",
        arguments: ["YCbCr Matrix: TV.601\n", "", "YCbCr Matrix: tv.601\n"])
    func changed(header: String) throws {
        #expect(zip(try color(header, film: .bt709), Self.of601In709).allSatisfy { abs($0 - $1) <= 1 })
    }

    @Test(
        "Colors of a script for the film's matrix, for none, or for an unknown one stay",
        arguments: [
            ("YCbCr Matrix: TV.709\n", ColorMatrix.bt709), ("YCbCr Matrix: None\n", .bt709),
            ("YCbCr Matrix: x\n", .bt709),
            ("YCbCr Matrix: TV.601\n", .bt601), ("", .bt601), ("YCbCr Matrix: TV.601\n", nil),
            ("YCbCr Matrix: PC.601\n", .bt709), ("YCbCr Matrix: TV.709\n", .bt2020),
        ] as [(String, ColorMatrix?)])
    func kept(header: String, film: ColorMatrix?) throws {
        #expect(try color(header, film: film) == Self.own)
    }

    @Test(
        "A correction and its reverse give the color back", arguments: ColorCorrection.matrices,
        ColorCorrection.matrices)
    func reverse(script: ColorMatrix, film: ColorMatrix) throws {
        guard script != film else {
            #expect(ColorCorrection(script: script, film: film) == nil)
            return
        }
        let there = try #require(ColorCorrection(script: script, film: film))
        let back = try #require(ColorCorrection(script: film, film: script))
        for color: UInt32 in [0x40C0_4080, 0x8080_8000, 0x5060_7011] {
            let result = back.corrected(there.corrected(color))
            for shift: UInt32 in [0, 8, 16, 24] {
                #expect(abs(Int(result >> shift & 0xFF) - Int(color >> shift & 0xFF)) <= 2)
            }
        }
        #expect(there.corrected(0xFFFF_FF00) == 0xFFFF_FF00 && there.corrected(0x0000_0042) == 0x0000_0042)
    }

    @Test("The matrix of a film is read from its stream, or follows from its size")
    func film() throws {
        for (space, size, matrix) in [
            ("bt709", "320x180", ColorMatrix.bt709), ("smpte170m", "1280x720", .bt601),
            ("smpte240m", "320x180", .smpte240),
            ("unknown", "1280x720", .bt709), ("unknown", "320x180", .bt601), ("bt2020nc", "320x180", .bt2020),
        ] as [(String, String, ColorMatrix)] {
            let path = try Clips.file(
                "matrix-\(space)-\(size).mkv",
                ffmpeg: [
                    "-f", "lavfi", "-i", "color=s=\(size):d=0.2:r=10", "-pix_fmt", "yuv420p", "-colorspace", space,
                ]
                    + NumberedFrames.h264)
            let input = try MediaInput(location: path, isInterrupted: { false })
            #expect(MediaInfo(input).colorMatrix == matrix, "\(space) \(size)")
        }
    }
}
