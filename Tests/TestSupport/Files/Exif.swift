/// The orientation that a camera writes into its pictures (Exif 2.32, 4.6.5, tag 0x0112).
package enum Exif {
    /// A TIFF structure whose one entry is the orientation `value`, in either byte order.
    package static func tiff(orientation value: Int, isBigEndian: Bool = false) -> [UInt8] {
        func number(_ value: Int, _ count: Int) -> [UInt8] {
            let bytes = (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
            return isBigEndian ? bytes.reversed() : bytes
        }
        return Array((isBigEndian ? "MM" : "II").utf8) + number(42, 2) + number(8, 4) + number(1, 2)
            + number(0x0112, 2) + number(3, 2) + number(1, 4) + number(value, 2) + number(0, 2) + number(0, 4)
    }

    /// A JPEG with `tiff` in an APP1 segment after its first marker.
    package static func jpeg(_ file: [UInt8], _ tiff: [UInt8]) -> [UInt8] {
        let body = Array("Exif\0\0".utf8) + tiff
        return file.prefix(2) + [0xFF, 0xE1, UInt8((body.count + 2) >> 8), UInt8((body.count + 2) & 0xFF)] + body
            + file.dropFirst(2)
    }
}
