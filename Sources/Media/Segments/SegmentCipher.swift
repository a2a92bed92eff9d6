import GlissadeCFFmpeg

/// Decrypts an HLS segment: AES-128 in CBC mode with padding (RFC 8216, 4.3.2.4). FFmpeg's own `crypto` protocol
/// cannot be used, since it opens the underlying URL itself.
final class SegmentCipher {
    private let state: OpaquePointer
    private var vector: [UInt8]
    /// The encrypted bytes that cannot be decrypted yet: an incomplete block, or a block that may turn out to be the
    /// last and contain padding.
    private var pending: [UInt8] = []
    private var clear: [UInt8] = []
    private var taken = 0
    private let block = UnsafeMutableRawBufferPointer.allocate(byteCount: 16 << 10, alignment: 16)

    /// Creates a cipher from a key and an initialization vector; nil if either is not 16 bytes in hexadecimal, or if
    /// memory runs out.
    init?(key: String, vector: String) {
        guard let key = Self.bytes(key), let vector = Self.bytes(vector), let state = av_aes_alloc() else {
            block.deallocate()
            return nil
        }
        guard av_aes_init(state, key, 128, 1) >= 0 else {
            av_free(UnsafeMutableRawPointer(state))
            block.deallocate()
            return nil
        }
        self.state = state
        self.vector = vector
    }

    deinit {
        av_free(UnsafeMutableRawPointer(state))
        block.deallocate()
    }

    private static func bytes(_ text: String) -> [UInt8]? {
        let digits = text.utf8.compactMap { Character(UnicodeScalar($0)).hexDigitValue.map(UInt8.init) }
        guard digits.count == 32, text.utf8.count == 32 else { return nil }
        return stride(from: 0, to: 32, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
    }

    /// Reads decrypted bytes into `target`. Returns the number of bytes read; 0 at the end of the segment.
    ///
    /// - Parameter more: Fills a buffer with encrypted bytes and returns their number; 0 if there are none left.
    func read<Failure: Error>(
        into target: UnsafeMutableRawBufferPointer, more: (UnsafeMutableRawBufferPointer) throws(Failure) -> Int
    ) throws(Failure) -> Int {
        while taken == clear.count {
            let count = try more(block)
            if count == 0 {
                guard !pending.isEmpty else { return 0 }
                decrypt(pending.count / 16, isLast: true)
                pending = []
                if clear.isEmpty { return 0 }
            } else {
                pending += block[..<count]
                decrypt((pending.count - 1) / 16, isLast: false)
            }
        }
        let count = min(target.count, clear.count - taken)
        clear.withUnsafeBytes { target.copyMemory(from: UnsafeRawBufferPointer(rebasing: $0[taken..<taken + count])) }
        taken += count
        return count
    }

    private func decrypt(_ blocks: Int, isLast: Bool) {
        taken = 0
        clear = [UInt8](repeating: 0, count: blocks * 16)
        av_aes_crypt(state, &clear, pending, CInt(blocks), &vector, 1)
        pending.removeFirst(blocks * 16)
        // Invalid padding means that the segment is truncated. The bytes are then content, so keep them.
        if isLast, let padding = clear.last, (1...16).contains(padding) { clear.removeLast(Int(padding)) }
    }
}
