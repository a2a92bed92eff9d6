import CYUV

/// Changes the brightness of BGRA frames by whole steps, with clipping, where no earlier conversion step could.
///
/// Used on the conversion thread. Its memory is kept between frames.
struct BrightnessOffset: ~Copyable {
    /// A row of one color, and the level it is filled with.
    private var row: [UInt8] = []
    private var level: UInt8 = 0

    init() {}

    /// Adds `levels` to blue, green and red of every pixel; does nothing for 0.
    ///
    /// - Parameter levels: Of 255; negative values darken.
    mutating func add(_ levels: Int, to picture: borrowing ConvertedPicture) {
        if levels == 0 { return }
        fill(UInt8(min(abs(levels), 255)), byteCount: picture.size.width * 4)
        let (width, height) = (CInt(picture.size.width), CInt(picture.size.height))
        let (bytes, stride) = (picture.bytes, picture.stride)
        // With a stride of 0, every row of the frame gets the same one.
        _ = row.withUnsafeBufferPointer { row in
            if levels > 0 {
                ARGBAdd(bytes, stride, row.baseAddress, 0, bytes, stride, width, height)
            } else {
                ARGBSubtract(bytes, stride, row.baseAddress, 0, bytes, stride, width, height)
            }
        }
    }

    private mutating func fill(_ new: UInt8, byteCount: Int) {
        if level == new, row.count >= byteCount { return }
        level = new
        row = (0..<max(byteCount, row.count)).map { $0 % 4 == 3 ? 0 : new }
    }
}
