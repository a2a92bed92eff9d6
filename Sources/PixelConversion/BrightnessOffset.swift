import GlissadeCYUV

/// Adds a brightness offset to BGRA frames, in whole steps of 1/255 and with clipping.
///
/// For offsets that no earlier conversion step can include. Used only on the converting thread.
struct BrightnessOffset: ~Copyable {
    /// A row of pixels whose blue, green and red are `level` and whose alpha is 0.
    private var row: [UInt8] = []
    private var level: UInt8 = 0

    init() {}

    /// Adds `levels` to the blue, green and red of every pixel, and leaves alpha as it is.
    ///
    /// - Parameter levels: The offset in steps of 1/255; negative values darken.
    mutating func add(_ levels: Int, to picture: borrowing ConvertedPicture) {
        if levels == 0 { return }
        fill(UInt8(min(abs(levels), 255)), byteCount: picture.size.width * 4)
        let (width, height) = (CInt(picture.size.width), CInt(picture.size.height))
        let (bytes, stride) = (picture.bytes, picture.stride)
        // A stride of 0 adds this one row to every row of the frame.
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
