import CYUV

/// Makes pictures in BGRA brighter or darker by whole steps, where nothing before it could; clipped at the ends of a byte.
///
/// On the thread that resolves. Its memory is kept from picture to picture.
struct BrightnessOffset: ~Copyable {
    /// A row of one color, and what it was filled with.
    private var row: [UInt8] = []
    private var level: UInt8 = 0

    init() {}

    /// Adds `levels` to blue, green and red of every pixel; nothing is done for 0.
    ///
    /// - Parameter levels: of 255; negative darkens.
    mutating func add(_ levels: Int, to picture: borrowing ConvertedPicture) {
        if levels == 0 { return }
        fill(UInt8(min(abs(levels), 255)), byteCount: picture.size.width * 4)
        let (width, height) = (CInt(picture.size.width), CInt(picture.size.height))
        let (bytes, stride) = (picture.bytes, picture.stride)
        // A stride of 0 gives every row of the picture the same one.
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
