/// Writes Matroska files element by element (RFC 8794, RFC 9559), also such as no muxer would write.
///
/// A file is a tree of elements, whose lengths are computed when it is turned into bytes: what is changed in the tree leaves
/// the rest of the file whole.
package enum Matroska {
    package struct Element: Sendable {
        package enum Content: Sendable {
            case data([UInt8])
            case children([Element])
        }

        /// As it stands in the file, with the bits that tell its length.
        package var id: UInt32
        package var content: Content

        package init(_ id: UInt32, _ data: [UInt8]) { (self.id, content) = (id, .data(data)) }
        package init(_ id: UInt32, _ children: [Element]) { (self.id, content) = (id, .children(children)) }
        package init(_ id: UInt32, text: String) { self.init(id, Array(text.utf8)) }
        package init(_ id: UInt32, number: UInt64) { self.init(id, bigEndian(number)) }
        package init(_ id: UInt32, double: Double) { self.init(id, bigEndian(double.bitPattern)) }

        package var bytes: [UInt8] {
            let body: [UInt8] =
                switch content {
                case .data(let data): data
                case .children(let children): children.flatMap(\.bytes)
                }
            // Lengths always take eight bytes: the first is a mark.
            return Array(bigEndian(id).drop { $0 == 0 }) + [1] + bigEndian(UInt64(body.count)).dropFirst() + body
        }
    }

    /// The elements' names in the standard, as far as they are used here.
    package enum ID {
        package static let head: UInt32 = 0x1A45_DFA3
        package static let segment: UInt32 = 0x1853_8067
        package static let info: UInt32 = 0x1549_A966
        package static let title: UInt32 = 0x7BA9
        package static let tracks: UInt32 = 0x1654_AE6B
        package static let trackEntry: UInt32 = 0xAE
        package static let video: UInt32 = 0xE0
        package static let audio: UInt32 = 0xE1
        package static let cluster: UInt32 = 0x1F43_B675
        package static let simpleBlock: UInt32 = 0xA3
        package static let chapters: UInt32 = 0x1043_A770
        package static let edition: UInt32 = 0x45B9
        package static let chapter: UInt32 = 0xB6
    }

    /// A file of ten seconds, in milliseconds, with one cluster.
    ///
    /// - Parameter more: elements of the segment before its cluster.
    package static func file(
        tracks: [Element], blocks: [Element], info: [Element] = [], more: [Element] = [], duration: Double = 10_000
    ) -> [UInt8] {
        let head = Element(
            ID.head,
            [
                Element(0x4286, number: 1), Element(0x42F7, number: 1), Element(0x42F2, number: 4),
                Element(0x42F3, number: 8), Element(0x4282, text: "matroska"), Element(0x4287, number: 4),
                Element(0x4285, number: 2),
            ])
        let standing = [
            Element(0x2AD7B1, number: 1_000_000), Element(0x4D80, text: "test"), Element(0x5741, text: "test"),
            Element(0x4489, double: duration),
        ]
        let segment = Element(
            ID.segment,
            [Element(ID.info, standing + info), Element(ID.tracks, tracks)] + more
                + [Element(ID.cluster, [Element(0xE7, number: 0)] + blocks)])
        return head.bytes + segment.bytes
    }

    /// - Parameters:
    ///   - kind: 1 for video, 2 for sound, 17 for subtitles.
    ///   - codec: Matroska's name for it.
    package static func track(
        _ number: UInt8, kind: UInt64, codec: String, private data: [UInt8]? = nil, _ more: [Element] = []
    ) -> Element {
        var children = [
            Element(0xD7, number: UInt64(number)), Element(0x73C5, number: UInt64(number)), Element(0x83, number: kind),
            Element(0x9C, number: 0), Element(0x86, text: codec),
        ]
        if let data { children.append(Element(0x63A2, data)) }
        return Element(ID.trackEntry, children + more)
    }

    /// A stream of PNG pictures that claims to be of some size.
    package static func pngTrack(_ number: UInt8 = 1, width: Int, height: Int) -> Element {
        let size = Element(ID.video, [Element(0xB0, number: UInt64(width)), Element(0xBA, number: UInt64(height))])
        return track(
            number, kind: 1, codec: "V_MS/VFW/FOURCC",
            private: RIFF.bitmapInfo(codec: "MPNG", width: width, height: height), [size])
    }

    /// Plain samples.
    package static func pcmTrack(_ number: UInt8 = 1, rate: Double, channels: Int = 1, bits: Int = 8) -> Element {
        let format = Element(
            ID.audio,
            [
                Element(0xB5, double: rate), Element(0x9F, number: UInt64(channels)),
                Element(0x6264, number: UInt64(bits)),
            ])
        return track(number, kind: 2, codec: "A_PCM/INT/LIT", [format])
    }

    /// A packet, in milliseconds from the cluster's beginning.
    package static func block(_ track: UInt8, at time: Int16, _ data: [UInt8], isKeyframe: Bool = true) -> Element {
        Element(ID.simpleBlock, [0x80 | track] + bigEndian(time) + [isKeyframe ? 0x80 : 0] + data)
    }
}

/// The bytes of a number, the most significant first.
func bigEndian(_ value: some FixedWidthInteger) -> [UInt8] { withUnsafeBytes(of: value.bigEndian) { Array($0) } }
