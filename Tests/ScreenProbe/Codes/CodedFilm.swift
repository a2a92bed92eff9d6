/// A film whose every frame says which one it is, by its `FrameCode`: what FFmpeg has to be given to make it.
package struct CodedFilm: Sendable {
    package var width: Int
    package var height: Int
    /// Frames a second.
    package var rate: Int
    package var frameCount: Int
    /// The number of its first frame.
    package var first: Int
    /// A little noise that moves, so that a decoder has as much to do as with a film.
    package var isTextured: Bool
    /// Black above and below the code, in pixels: where something lies over the film's edges, the code is still whole.
    package var margins = (top: 0, bottom: 0)
    /// Whether it carries a `MarkedCode`, which is found wherever the picture lies, instead of bands one below the other.
    package var isMarked = false

    package init(width: Int, height: Int, rate: Int, frameCount: Int, first: Int = 0, isTextured: Bool = false) {
        (self.width, self.height, self.rate, self.frameCount) = (width, height, rate, frameCount)
        (self.first, self.isTextured) = (first, isTextured)
    }

    /// Its frames, very small, with a row for each band or two columns for each band of a `MarkedCode`, as raw YUV 4:2:0
    /// in video range: FFmpeg makes them large, a thousand times as fast as its expressions could draw them.
    package func raw() -> [UInt8] {
        if isMarked { return (first..<first + frameCount).flatMap(MarkedCode.raw) }
        let chroma = [UInt8](repeating: 128, count: Self.seedWidth * FrameCode.bandCount / 2)
        return (first..<first + frameCount).flatMap { number in
            FrameCode.bands(of: number).flatMap { [UInt8](repeating: $0 ? 235 : 16, count: Self.seedWidth) } + chroma
        }
    }

    /// Options by which FFmpeg reads the file that `raw` was written to, adds a tone, and ends with the last frame.
    package func input(_ path: String) -> [String] {
        [
            "-f", "rawvideo", "-pixel_format", "yuv420p", "-video_size", seedSize,
            "-framerate", "\(rate)", "-i", path, "-f", "lavfi", "-i", "sine=frequency=440:sample_rate=48000,volume=0.1",
            "-filter:v", filter,
            "-frames:v", "\(frameCount)", "-t", "\(Double(frameCount) / Double(rate))",
            "-colorspace", "bt709", "-color_primaries", "bt709", "-color_trc", "bt709", "-color_range", "tv",
        ]
    }

    private var filter: String {
        let (top, bottom) = margins
        let scale = "scale=\(width):\(height - top - bottom):flags=neighbor"
        let pad = top + bottom > 0 ? ",pad=\(width):\(height):0:\(top)" : ""
        return scale + pad + (isTextured ? ",noise=alls=4:allf=t" : "")
    }

    private var seedSize: String {
        isMarked ? "\(2 * MarkedCode.bandCount)x2" : "\(Self.seedWidth)x\(FrameCode.bandCount)"
    }

    private static let seedWidth = 16
}
