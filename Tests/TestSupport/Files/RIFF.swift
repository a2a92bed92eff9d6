/// Writes WAV and AVI files chunk by chunk, also such as no muxer would write.
package enum RIFF {
    package static func chunk(_ name: String, _ data: [UInt8]) -> [UInt8] {
        Array(name.utf8) + littleEndian(UInt32(truncatingIfNeeded: data.count)) + data
            + (data.count % 2 == 1 ? [0] : [])
    }

    /// A chunk of chunks: `RIFF` or `LIST`.
    package static func list(_ name: String, _ kind: String, _ chunks: [[UInt8]]) -> [UInt8] {
        chunk(name, Array(kind.utf8) + chunks.flatMap { $0 })
    }

    /// Plain samples.
    package static func wave(rate: UInt32, channels: UInt16 = 1, bits: UInt16 = 8, _ samples: [UInt8]) -> [UInt8] {
        let frame = channels &* (bits / 8)
        let format =
            littleEndian(UInt16(1)) + littleEndian(channels) + littleEndian(rate) + littleEndian(rate &* UInt32(frame))
            + littleEndian(frame) + littleEndian(bits)
        return list("RIFF", "WAVE", [chunk("fmt ", format), chunk("data", samples)])
    }

    /// A film whose pictures have any size, 25 a second.
    package static func avi(codec: String, width: Int, height: Int, frames: [[UInt8]]) -> [UInt8] {
        func numbers(_ values: [Int]) -> [UInt8] { values.flatMap { littleEndian(UInt32(truncatingIfNeeded: $0)) } }
        let main = numbers([40_000, 0, 0, 0x10, frames.count, 0, 1, 0, width, height, 0, 0, 0, 0])
        let stream =
            Array("vids".utf8) + Array(codec.utf8) + numbers([0, 0, 0, 1, 25, 0, frames.count, 0, -1, 0, 0, 0])
        let header = list(
            "LIST", "hdrl",
            [
                chunk("avih", main),
                list(
                    "LIST", "strl",
                    [chunk("strh", stream), chunk("strf", bitmapInfo(codec: codec, width: width, height: height))]),
            ])
        return list("RIFF", "AVI ", [header, list("LIST", "movi", frames.map { chunk("00dc", $0) })])
    }

    /// A BITMAPINFOHEADER, which tells a stream's codec and size.
    package static func bitmapInfo(codec: String, width: Int, height: Int) -> [UInt8] {
        littleEndian(UInt32(40)) + littleEndian(UInt32(truncatingIfNeeded: width))
            + littleEndian(UInt32(truncatingIfNeeded: height)) + littleEndian(UInt16(1)) + littleEndian(UInt16(24))
            + Array(codec.utf8) + [UInt8](repeating: 0, count: 20)
    }
}

/// The bytes of a number, the least significant first.
func littleEndian(_ value: some FixedWidthInteger) -> [UInt8] { withUnsafeBytes(of: value.littleEndian) { Array($0) } }
