import Testing

@testable import GlissadeMedia

@Suite("Pages of Ogg") struct OggPagesTests {
    private func page(_ serial: UInt8, begins: Bool = false, size: Int = 300) -> [UInt8] {
        let table = [UInt8](repeating: 255, count: size / 255) + [UInt8(size % 255)]
        let head: [UInt8] = Array("OggS".utf8) + [0, begins ? 2 : 0] + [UInt8](repeating: 7, count: 8)
        return head + [serial, 0, 0, 0] + [UInt8](repeating: 9, count: 8) + [UInt8(table.count)] + table
            + [UInt8](repeating: 1, count: size)
    }

    private func isChain(_ bytes: [UInt8]) -> Bool {
        OggPages.isChain(
            FileExtent(size: Int64(bytes.count)) { place, count in
                place < bytes.count ? Array(bytes[Int(place)...].prefix(count)) : []
            })
    }

    @Test("A file is a chain if its last page is of a stream that did not begin with it")
    func chains() {
        let one = page(1, begins: true, size: 30) + page(1) + page(1)
        let two = page(2, begins: true, size: 30) + page(2, size: 60_000)
        #expect(isChain(one + two) && isChain(one + two + [1, 2, 3]))
        // Two streams side by side.
        let sound = page(3, begins: true, size: 30)
        #expect(!isChain(one) && !isChain(page(1, begins: true) + sound + page(1) + page(3)))
        #expect(!isChain(page(1, begins: true) + sound + page(3) + page(1)))
    }

    @Test("Damaged pages are no chain, and no place in them is wrong")
    func damaged() {
        let file = page(1, begins: true, size: 30) + page(1) + page(2, begins: true, size: 30) + page(2)
        #expect(!isChain([]) && !isChain(Array("OggS".utf8)) && !isChain(Array(file.dropFirst(30))))
        for count in stride(from: 0, to: file.count, by: 7) { _ = isChain(Array(file.prefix(count))) }
        var generator = SystemRandomNumberGenerator()
        for _ in 0..<200 {
            var noise = file
            for _ in 0..<4 { noise[Int.random(in: 0..<file.count, using: &generator)] = .random(in: 0...255) }
            _ = isChain(noise)
        }
        #expect(!isChain((0..<300).flatMap { page(UInt8($0 & 0x7F), begins: true, size: 1) } + page(200)))
    }
}
