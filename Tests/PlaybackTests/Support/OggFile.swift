/// Changes Ogg files (RFC 3533).
enum OggFile {
    /// Returns `file` with the bodies of its pages as `change` leaves them, and the right checksums; nil if it is none.
    static func changing(_ file: [UInt8], _ change: (inout [UInt8]) -> Void) -> [UInt8]? {
        var (result, place): ([UInt8], Int) = ([], 0)
        while place < file.count {
            guard place + 27 <= file.count, file[place...].starts(with: "OggS".utf8) else { return nil }
            let head = 27 + Int(file[place + 26])
            let size = file[(place + 27)..<(place + head)].reduce(head) { $0 + Int($1) }
            var body = Array(file[(place + head)..<(place + size)])
            change(&body)
            var page = Array(file[place..<(place + head)]) + body
            page.replaceSubrange(22..<26, with: [0, 0, 0, 0])
            let sum = page.reduce(0 as UInt32) { (sum: UInt32, byte: UInt8) -> UInt32 in
                (0..<8).reduce(sum ^ UInt32(byte) << 24) { (rest: UInt32, _: Int) -> UInt32 in
                    rest >> 31 == 0 ? rest << 1 : (rest << 1) ^ 0x04C1_1DB7
                }
            }
            page.replaceSubrange(22..<26, with: withUnsafeBytes(of: sum.littleEndian) { Array($0) })
            result += page
            place += size
        }
        return result
    }
}
