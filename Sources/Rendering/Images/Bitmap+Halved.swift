import GlissadeGeometry
import GlissadePicture

extension Bitmap {
    /// Returns a copy at half the width and height, for mipmaps. Each pixel is the mean of a 2×2 block. A side of
    /// odd length loses its last column or row, except that a side of 1 stays 1.
    func halved() -> Bitmap {
        let half = PixelSize(width: max(1, size.width / 2), height: max(1, size.height / 2))
        let (across, down) = (size.width > 1 ? 4 : 0, size.height > 1 ? size.width * 4 : 0)
        let means = [UInt8](unsafeUninitializedCapacity: half.width * half.height * 4) { halved, count in
            pixels.withUnsafeBufferPointer { whole in
                for y in 0..<half.height {
                    for x in 0..<half.width {
                        let from = (y * 2 * size.width + x * 2) * 4
                        let to = (y * half.width + x) * 4
                        for channel in 0..<4 {
                            let at = from + channel
                            let sum =
                                Int(whole[at]) + Int(whole[at + across]) + Int(whole[at + down])
                                + Int(whole[at + across + down])
                            halved[to + channel] = UInt8((sum + 2) / 4)
                        }
                    }
                }
            }
            count = half.width * half.height * 4
        }
        return Bitmap(size: half, pixels: means)
    }
}
