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

    /// A PNG with `tiff` in an eXIf chunk after its header, which takes 33 bytes.
    package static func png(_ file: [UInt8], _ tiff: [UInt8]) -> [UInt8] {
        file.prefix(33) + BlankPNG.chunk("eXIf", tiff) + file.dropFirst(33)
    }

    /// A WebP file of one chunk in the extended form (RFC 9649, 2.7), with `tiff` in a chunk after the picture.
    package static func webp(_ file: [UInt8], width: Int, height: Int, _ tiff: [UInt8]) -> [UInt8] {
        func number(_ value: Int, _ count: Int) -> [UInt8] {
            (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
        }
        func chunk(_ name: String, _ data: [UInt8]) -> [UInt8] {
            Array(name.utf8) + number(data.count, 4) + data + (data.count % 2 == 1 ? [0] : [])
        }
        let head = chunk("VP8X", [8, 0, 0, 0] + number(width - 1, 3) + number(height - 1, 3))
        let body = Array("WEBP".utf8) + head + file.dropFirst(12) + chunk("EXIF", tiff)
        return Array("RIFF".utf8) + number(body.count, 4) + body
    }
}
