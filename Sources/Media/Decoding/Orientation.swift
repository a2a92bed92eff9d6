package import GlissadeCFFmpeg
package import GlissadeGeometry
package import GlissadePicture

/// How a stored frame becomes upright, as a display matrix says.
package struct Orientation: Hashable, Sendable {
    /// Whether the frame is mirrored left to right, before it is rotated.
    package var isMirrored = false
    /// The clockwise rotation, rounded to quarter turns.
    package var rotation = QuarterTurns.none

    /// Frames that are stored upright.
    package static let upright = Orientation(isMirrored: false, rotation: .none)

    /// The number of values in a display matrix.
    private static let matrixCount = 9

    private init(isMirrored: Bool, rotation: QuarterTurns) {
        (self.isMirrored, self.rotation) = (isMirrored, rotation)
    }

    /// Reads a display matrix of nine fixed-point numbers (libavutil/display.h). Its upper left part maps the stored
    /// (x, y) to (a·x + c·y, b·x + d·y), where the rows are (a, b) and (c, d). If its determinant is negative, the map
    /// is a mirroring of x and a rotation.
    package init(displayMatrix: UnsafeRawPointer) {
        withUnsafeTemporaryAllocation(of: Int32.self, capacity: Self.matrixCount) { matrix in
            for index in 0..<Self.matrixCount {
                matrix[index] = displayMatrix.loadUnaligned(fromByteOffset: index * 4, as: Int32.self)
            }
            let (a, b, c, d) = (Double(matrix[0]), Double(matrix[1]), Double(matrix[3]), Double(matrix[4]))
            isMirrored = a * d - b * c < 0
            if isMirrored { (matrix[0], matrix[1]) = (0 &- matrix[0], 0 &- matrix[1]) }
            rotation = QuarterTurns(degreesClockwise: -av_display_rotation_get(matrix.baseAddress))
        }
    }

    /// The orientation in a stream's display matrix; upright if the stream has no matrix.
    package init(of stream: UnsafePointer<AVStream>) {
        var size = 0
        guard let data = glissade_stream_side_data(stream, AV_PKT_DATA_DISPLAYMATRIX, &size),
            size >= Self.matrixCount * MemoryLayout<Int32>.size
        else {
            self = .upright
            return
        }
        self.init(displayMatrix: UnsafeRawPointer(data))
    }

    /// The orientation in a frame's own display matrix; nil if the frame has no matrix.
    package init?(of frame: UnsafePointer<AVFrame>) {
        guard let side = av_frame_get_side_data(frame, AV_FRAME_DATA_DISPLAYMATRIX)?.pointee, let data = side.data,
            side.size >= Self.matrixCount * MemoryLayout<Int32>.size
        else { return nil }
        self.init(displayMatrix: UnsafeRawPointer(data))
    }

    /// The geometry of frames of this orientation. If `pixelAspect` is nil, pixels are square.
    package func geometry(pixelAspect: Double?) -> PixelGeometry {
        PixelGeometry(pixelAspect: pixelAspect ?? 1, rotation: rotation, isMirrored: isMirrored)
    }
}
