package import GlissadeCFFmpeg

/// Names of codecs for people, also of those that FFmpeg does not know.
package enum CodecName {
    /// FFmpeg's name for the codec of `parameters`. For one that it does not know, "unknown", with the container's
    /// `identifier` if there is one.
    static func text(_ parameters: AVCodecParameters, identifier: String?) -> String {
        if let known = known(parameters.codec_id) { return known }
        return identifier.map { "unknown (\($0))" } ?? "unknown"
    }

    /// Why there is no decoder for a stream with the codec `id`, worded to follow "cannot be played:".
    package static func noDecoder(_ id: AVCodecID, identifier: String?) -> String {
        if let known = known(id) { return "no decoder for \(known)" }
        return identifier.map { "unknown codec \($0)" } ?? "unknown codec"
    }

    private static func known(_ id: AVCodecID) -> String? {
        guard id != AV_CODEC_ID_NONE, let name = avcodec_descriptor_get(id)?.pointee.name else { return nil }
        return String(cString: name)
    }

    /// The longest identifier to show, in bytes.
    private static let longest = 32

    /// The text of a four-character code, or its number in hexadecimal if it has other characters; nil if it is 0.
    static func text(ofTag tag: UInt32) -> String? {
        guard tag != 0 else { return nil }
        let bytes = withUnsafeBytes(of: tag.littleEndian) { Array($0) }
        // Shorter ones are numbers, as in AVI.
        return (tag > 0xFFFF ? text(ofIdentifier: bytes) : nil) ?? "0x" + String(tag, radix: 16)
    }

    /// The text of a container's identifier, without padding; nil if it is empty, too long, or has other characters than
    /// visible ASCII.
    static func text(ofIdentifier bytes: [UInt8]) -> String? {
        var bytes = bytes[...]
        while let last = bytes.last, last == 0 || last == UInt8(ascii: " ") { bytes.removeLast() }
        guard !bytes.isEmpty, bytes.count <= longest, bytes.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            return nil
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}

extension MediaInput {
    /// What the container calls the codec of the stream at `index`, such as `A_XYZ`, if FFmpeg does not know the codec;
    /// nil otherwise, or if it says nothing. The position of reading does not change.
    package func codecIdentifier(_ index: Int) -> String? { codecIdentifiers([index])[index] }

    /// What the container calls the codecs of the streams at `indices`, as `codecIdentifier` says it. Reads the file once.
    func codecIdentifiers(_ indices: [Int]) -> [Int: String] {
        var names: [Int: String] = [:]
        var found: [[UInt8]]?
        for index in indices {
            // Attachments have no codecs.
            guard let parameters = stream(index)?.pointee.codecpar.pointee, parameters.codec_id == AV_CODEC_ID_NONE,
                parameters.codec_type != AVMEDIA_TYPE_ATTACHMENT
            else { continue }
            if let text = CodecName.text(ofTag: parameters.codec_tag) {
                names[index] = text
                continue
            }
            let all = found ?? extent { $1 == "matroska,webm" ? $0.matroskaCodecs : [] } ?? []
            found = all
            if index < all.count { names[index] = CodecName.text(ofIdentifier: all[index]) }
        }
        return names
    }
}

extension FileExtent {
    /// The most parts of a Matroska file to go through for its tracks.
    private static let mostElements = 1000
    /// The longest identifier of a codec to read, in bytes.
    private static let longestIdentifier = 64

    /// The identifiers of the codecs of a Matroska file's tracks, in the order of FFmpeg's streams (RFC 9559, 5.1.4).
    var matroskaCodecs: [[UInt8]] {
        var left = Self.mostElements
        /// Calls `body` with each element between two places, until it returns false.
        func walk(_ begin: Int64, _ end: Int64, _ body: (UInt64, Int64, Int64) -> Bool) {
            var place = begin
            while place < end, left > 0 {
                left -= 1
                guard let first = read(place, 1).first, first >= 0x10 else { return }
                let count = first.leadingZeroBitCount + 1
                guard let identifier = number(place, count), let length = variable(place + Int64(count)) else { return }
                let start = place + Int64(count + length.count)
                let (next, isBeyond) = start.addingReportingOverflow(Int64(clamping: length.value ?? .max))
                let stop = isBeyond ? end : min(next, end)
                guard stop >= start, body(identifier, start, stop) else { return }
                place = stop
            }
        }
        var codecs: [[UInt8]] = []
        walk(0, size) { identifier, begin, end in
            guard identifier == 0x1853_8067 else { return true }
            walk(begin, end) { identifier, begin, end in
                guard identifier == 0x1654_AE6B else { return true }
                walk(begin, end) { identifier, begin, end in
                    guard identifier == 0xAE else { return true }
                    var (kind, codec): (UInt64?, [UInt8]?) = (nil, nil)
                    walk(begin, end) { identifier, begin, end in
                        let count = Int(clamping: end - begin)
                        if identifier == 0x83 { kind = number(begin, min(count, 8)) }
                        if identifier == 0x86 { codec = read(begin, min(count, Self.longestIdentifier)) }
                        return true
                    }
                    // Pictures, sound, subtitles and metadata. FFmpeg makes no streams of others.
                    if let kind, [0x01, 0x02, 0x11, 0x21].contains(kind), let codec { codecs.append(codec) }
                    return true
                }
                return false
            }
            return false
        }
        return codecs
    }
}
