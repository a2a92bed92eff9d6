import Foundation
import GlissadeScreenProbe
import GlissadeTestSupport
import Testing

@Suite("Marked video") struct MarkedFilmTests {
    @Test("Every encoded frame can be read, even scaled down to 160 columns", arguments: ["160:90", "854:480"])
    func encoded(size: String) throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "marked-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        var film = CodedFilm(width: 640, height: 360, rate: 30, frameCount: 20, first: 250, isTextured: true)
        film.isMarked = true
        let (raw, clip, pixels) = (folder.path + "/raw", folder.path + "/film.mp4", folder.path + "/pixels")
        try Data(film.raw()).write(to: URL(fileURLWithPath: raw))
        try FFmpeg.run(film.input(raw) + ["-c:v", "libx264", "-preset", "ultrafast", "-pix_fmt", "yuv420p", clip])
        try FFmpeg.run([
            "-i", clip, "-vf", "scale=\(size):flags=bilinear", "-f", "rawvideo", "-pix_fmt", "rgb24", pixels,
        ])

        let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: pixels)))
        let (width, height) = size == "160:90" ? (160, 90) : (854, 480)
        try #require(bytes.count == 20 * width * height * 3)
        for frame in 0..<20 {
            for row in [0, height / 2, height - 1] {
                var line = PixelLine()
                for pixel in 0..<width {
                    let at = ((frame * height + row) * width + pixel) * 3
                    line.append(red: bytes[at], green: bytes[at + 1], blue: bytes[at + 2])
                }
                #expect(MarkedCode.findings(in: line).map(\.number) == [250 + frame], "frame \(frame), row \(row)")
            }
        }
    }
}
