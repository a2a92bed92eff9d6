import Foundation
import Glibc
import GlissadeScreenProbe
import GlissadeTestSupport

/// Media whose every frame says which one it is, by the bands of `FrameCode`: white above and below, so that no frame is
/// all black, and read off any picture of it, scaled or not.
enum Clip {
    static let rate = 25.0
    static let size = (width: 320, height: 180)

    /// `frames` frames, numbered from `first`, with a tone; a keyframe every 12. Above and below the code are `margins`.
    static func make(
        _ path: String, frames: Int, first: Int = 0, size: (width: Int, height: Int) = Clip.size,
        rate: Int = Int(Clip.rate), margins: (top: Int, bottom: Int) = (0, 0), isMarked: Bool = false,
        arguments: [String] = []
    ) throws {
        var film = CodedFilm(width: size.width, height: size.height, rate: rate, frameCount: frames, first: first)
        film.margins = margins
        film.isMarked = isMarked
        try TemporaryFolder.with { folder in
            try Data(film.raw()).write(to: URL(fileURLWithPath: folder + "/frames.yuv"))
            try FFmpeg.run(
                film.input(folder + "/frames.yuv") + [
                    "-c:v", "libx264", "-preset", "ultrafast", "-crf", "12", "-g", "12",
                ]
                    + ["-c:a", "aac"] + arguments + [path])
        }
    }

    /// Clips that several tests look at, made once.
    static let short = shared("short.mp4", frames: 50)
    static let long = shared("long.mp4", frames: 250)
    static let second = shared("second.mp4", frames: 50, first: 128)
    /// Half a minute at 30 frames a second, for drags, and large enough to be read in the mini player.
    static let film = shared("film.mp4", frames: 900, size: (640, 360), rate: 30)
    /// The same for a window in which the controls lie over the film's upper and lower edge.
    static let controlled = shared(
        "controlled.mp4", frames: ControlsHarness.frameCount, size: (ControlsHarness.width, ControlsHarness.height),
        rate: ControlsHarness.rate,
        margins: ControlsHarness.margins)
    /// The same, found wherever on the screen its pictures are.
    static let marked = shared("marked.mp4", frames: markedLength, size: (640, 360), rate: 30, isMarked: true)
    static let markedLength = 900

    /// An upright film for controls over its upper and lower edge.
    static let portrait = shared(
        "portrait.mp4", frames: RotatedHarness.frameCount, size: (540, 960), rate: 30, margins: (100, 160))
    /// The same with so few frames that Mesa's rasterizer is idle between two of them, on the whole screen as well.
    static let slowPortrait = shared("slow.mp4", frames: 300, size: (270, 480), rate: 10, margins: (50, 80))

    /// Makes a folder whose content `make` writes, once. It goes when the process does.
    static func makeFolder(_ name: String, _ make: (String) throws -> Void) throws -> String {
        atexit { if let folder = try? Clip.folder.get() { TemporaryFolder.remove(folder) } }
        let path = try folder.get() + "/" + name
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
        try make(path)
        return path
    }

    private static let folder = Result { try TemporaryFolder.make() }
    private static func shared(
        _ name: String, frames: Int, first: Int = 0, size: (width: Int, height: Int) = Clip.size,
        rate: Int = Int(Clip.rate), margins: (top: Int, bottom: Int) = (0, 0), isMarked: Bool = false
    ) -> Result<String, any Error> {
        Result {
            // The folder goes when the process does.
            atexit { if let folder = try? Clip.folder.get() { TemporaryFolder.remove(folder) } }
            let path = try folder.get() + "/" + name
            try Clips.makeOnce("end to end: \(name)", at: path) { path in
                try make(
                    path, frames: frames, first: first, size: size, rate: rate, margins: margins, isMarked: isMarked)
            }
            return path
        }
    }
}

/// A picture in grey, as something outside of the program saw it.
struct GreyPicture: Equatable {
    var width: Int
    var height: Int
    var pixels: [UInt8]

    /// Reads any image file, by FFmpeg.
    init(_ path: String) throws {
        self = try TemporaryFolder.with { folder in
            let raw = folder + "/raw.pgm"
            try FFmpeg.run(["-i", path, "-frames:v", "1", "-pix_fmt", "gray", "-f", "image2", "-c:v", "pgm", raw])
            return try GreyPicture(pgm: raw)
        }
    }

    /// Reads a portable graymap (P5, 8 bits), which is what ImageMagick and FFmpeg write for `.pgm`.
    init(pgm path: String) throws {
        let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
        var words: [String] = []
        var next = 0
        while words.count < 4, next < bytes.count {
            let end = bytes[next...].firstIndex { $0 == 10 || $0 == 32 } ?? bytes.count
            words.append(String(decoding: bytes[next..<end], as: UTF8.self))
            next = end + 1
        }
        guard words.count == 4, words[0] == "P5", let width = Int(words[1]), let height = Int(words[2]),
            words[3] == "255", bytes.count - next >= width * height
        else { throw Program.Failure(description: "\(path) is no graymap") }
        (self.width, self.height) = (width, height)
        pixels = Array(bytes[next..<next + width * height])
    }

    subscript(x: Int, y: Int) -> UInt8 { pixels[y * width + x] }

    func isEqual(to other: GreyPicture, within tolerance: Int) -> Bool {
        width == other.width && height == other.height
            && zip(pixels, other.pixels).allSatisfy { abs(Int($0) - Int($1)) <= tolerance }
    }

    /// The number of the frame that fills the largest area of the clip's shape in the middle; nil where there is none, or
    /// its columns do not agree.
    var frame: Int? {
        let scale = min(Double(width) / Double(Clip.size.width), Double(height) / Double(Clip.size.height))
        let (across, down) = (Double(Clip.size.width) * scale, Double(Clip.size.height) * scale)
        let (left, top) = ((Double(width) - across) / 2, (Double(height) - down) / 2)
        let rows = Int(top.rounded())..<min(Int((top + down).rounded()), height)
        let frames = [0.05, 0.5, 0.95].map { fraction in
            let column = Int(left + across * fraction)
            return FrameCode.read(rows.map { self[column, $0] })?.number
        }
        return Set(frames).count == 1 ? frames[0] : nil
    }
}
