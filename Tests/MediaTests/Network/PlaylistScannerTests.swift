import Testing

@testable import GlissadeMedia

@Suite("Playlist scanner")
struct PlaylistScannerTests {
    /// Of `text`, in pieces of `step` bytes.
    private func scan(_ text: String, step: Int = 1 << 20, addressBytes: Int = 0) -> PlaylistScanner {
        var scanner = PlaylistScanner(addressBytes: addressBytes)
        let bytes = Array(text.utf8)
        for start in stride(from: 0, to: bytes.count, by: step) {
            bytes[start..<min(bytes.count, start + step)].withUnsafeBytes { scanner.take($0, at: Int64(start)) }
        }
        return scanner
    }

    private static let list = "#EXTM3U\n#EXT-X-MEDIA:a\n#EXTINF:4,\nfilm.ts\n#EXT-X-STREAM-INF:b\nc\n"

    @Test(
        "A playlist is recognized by its first bytes after white space, however it is split",
        arguments: [1, 3, 6, 99])
    func pieces(step: Int) {
        for space in ["", "\u{FEFF}", String(repeating: " \r\n\t", count: 1000)] {
            #expect(scan(space + Self.list, step: step).kind == .hls)
            #expect(scan(space + "<MPD/>", step: step).kind == .xml)
            #expect(scan(Self.list, step: step).cost == scan(Self.list).cost)
        }
        for other in ["", "#", "#EXTM3", "#EXTM4U\n<", "G@", "\0\0\0\u{18}ftyp", "x#EXTM3U"] {
            #expect(scan(other, step: step).kind == nil, "\(other)")
        }
    }

    @Test("More leading white space than media could have marks a document")
    func space() {
        #expect(scan(String(repeating: " ", count: 1 << 20)).kind == .xml)
        #expect(scan(String(repeating: "\0", count: 1 << 20)).kind == nil)
    }

    @Test("Streams are counted inside and outside of lists, with any line ending")
    func streams() {
        #expect(scan(Self.list).cost.streams == 2)
        for end in ["\n", "\r\n", "\r", "\0"] {
            let line = "#EXT-X-STREAM-INF:BANDWIDTH=1\(end)a\(end)"
            #expect(scan("#EXTM3U\(end)" + String(repeating: line, count: 300)).cost.streams == 300)
        }
        #expect(scan("#EXTM3U\n#EXT-X-I-FRAME-STREAM-INF:\n#EXT-X-MEDIA-SEQUENCE:1\n").cost.streams == 0)
    }

    @Test("A segment costs the length of its URL and its key's")
    func parts() {
        let part = "#EXTINF:1,\na\n"
        func bytes(_ text: String, addressBytes: Int) -> Int {
            scan("#EXTM3U\n" + text, addressBytes: addressBytes).cost.bytes
        }
        #expect(bytes(part, addressBytes: 4000) - bytes(part, addressBytes: 0) == 4000)
        // FFmpeg cuts them off.
        #expect(bytes(part, addressBytes: 1 << 16) < 5000)
        #expect(bytes("http://a.example/b\n", addressBytes: 4000) == bytes("http://a.example/b\n", addressBytes: 0))
        let key = "#EXT-X-KEY:METHOD=AES-128,URI=\"" + String(repeating: "k", count: 3000) + "\"\n"
        #expect(bytes(key + part + part, addressBytes: 0) - bytes(part + part, addressBytes: 0) > 6000)
        #expect(bytes(String(repeating: part, count: 1000), addressBytes: 0) >= 1000 * bytes(part, addressBytes: 0))
    }

    @Test("A day of broadcast in two-second segments costs far less than the limit")
    func longLists() {
        let part =
            "#EXT-X-PROGRAM-DATE-TIME:2026-01-01T00:00:00.000Z\n#EXTINF:2.000,\nsegment-000000000.ts?token=0123456789abcdef\n"
        let cost = scan("#EXTM3U\n" + String(repeating: part, count: 43_200), addressBytes: 120).cost
        #expect(cost.bytes < PlaylistScanner.Cost.mostBytes / 8)
    }

    @Test("Bytes from elsewhere are ignored, and a part that is read again counts once")
    func places() {
        var scanner = scan(Self.list)
        let cost = scanner.cost
        let bytes = Array(Self.list.utf8)
        bytes.withUnsafeBytes { scanner.take($0, at: 1 << 40) }
        #expect(scanner.cost == cost)
        bytes.withUnsafeBytes { scanner.take($0, at: 0) }
        #expect(scanner.cost == cost)
        #expect(scanner.taken == Int64(bytes.count))
    }
}
