import GlissadeCXML2
import GlissadeDanmaku
import GlissadeGeometry
import GlissadePlatform
import GlissadeTime

/// Parses Bilibili's XML by libxml2. Not thread-safe.
final class CommentParser {
    /// The number of bytes that are passed to libxml2 at a time.
    private static let chunk = 1 << 16
    /// The font size of most comments, in the format's own unit.
    private static let usualSize = 25.0

    private(set) var comments: [MovingComment] = []
    private(set) var skippedCount = 0
    /// The number of elements that have begun but not ended.
    private var depth = 0
    /// Whether the end of the file is missing.
    private(set) var isDamaged = false
    /// The attribute `p` of the comment whose text is being read; nil outside of a comment.
    private var fields: String?
    private var text: [UInt8] = []

    /// Parses a whole file. If it is not well-formed, parses as much as libxml2 can recover. What might take long to parse
    /// is left out, with all that follows.
    func parse(_ bytes: [UInt8]) {
        let length = XMLBounds.prefix(of: bytes)
        let context = Unmanaged.passUnretained(self).toOpaque()
        let parser = glissade_xml_parser(context) { context, name, _, _, _, _, count, _, attributes in
            CommentParser.of(context).start(name, attributes, Int(count))
        } _: { context, name, _, _ in
            CommentParser.of(context).end(name)
        } _: { context, text, count in
            CommentParser.of(context).append(text, Int(count))
        }
        guard let parser else { return }
        defer {
            // A push parser without a tree has no document, unless the file declares entities.
            if let document = parser.pointee.myDoc { xmlFreeDoc(document) }
            xmlFreeParserCtxt(parser)
        }
        bytes.withUnsafeBytes { buffer in
            guard let base = buffer.baseAddress?.assumingMemoryBound(to: CChar.self) else { return }
            for start in stride(from: 0, to: length, by: Self.chunk) {
                xmlParseChunk(parser, base + start, CInt(min(Self.chunk, length - start)), 0)
            }
        }
        // At the end of the file, libxml2 ends the open elements by itself.
        isDamaged = depth > 0
        xmlParseChunk(parser, nil, 0, 1)
    }

    private static func of(_ context: UnsafeMutableRawPointer?) -> CommentParser {
        Unmanaged.fromOpaque(context!).takeUnretainedValue()  // The context passed to `glissade_xml_parser`.
    }

    private func start(
        _ name: UnsafePointer<xmlChar>?, _ attributes: UnsafeMutablePointer<UnsafePointer<xmlChar>?>?, _ count: Int
    ) {
        fields = nil
        depth += 1
        guard Self.isComment(name), let attributes else { return }
        // Five pointers for each attribute: name, prefix, URI, and the start and end of the value.
        for index in 0..<count {
            guard let name = attributes[index * 5], name[0] == UInt8(ascii: "p"), name[1] == 0,
                let start = attributes[index * 5 + 3], let end = attributes[index * 5 + 4]
            else { continue }
            fields = String(decoding: UnsafeBufferPointer(start: start, count: min(end - start, 512)), as: UTF8.self)
            text.removeAll(keepingCapacity: true)
        }
    }

    private func append(_ piece: UnsafePointer<xmlChar>?, _ count: Int) {
        // A scalar takes at most 4 bytes.
        let room = CommentFile.longestText * 4 - text.count
        guard fields != nil, let piece, room > 0 else { return }
        text += UnsafeBufferPointer(start: piece, count: min(count, room))
    }

    private func end(_ name: UnsafePointer<xmlChar>?) {
        depth -= 1
        guard let fields = fields.take(), Self.isComment(name) else { return }
        if comments.count < CommentFile.mostComments, let comment = Self.comment(fields, text) {
            comments.append(comment)
        } else {
            skippedCount += 1
        }
    }

    private static func isComment(_ name: UnsafePointer<xmlChar>?) -> Bool {
        guard let name else { return false }
        return name[0] == UInt8(ascii: "d") && name[1] == 0
    }

    /// Returns the comment with the attribute `fields` and the text `text`; nil if it cannot be shown.
    private static func comment(_ fields: String, _ text: [UInt8]) -> MovingComment? {
        let fields = fields.split(separator: ",", omittingEmptySubsequences: false)
        func number(_ index: Int) -> Double? { index < fields.count ? Double(fields[index]) : nil }
        guard let seconds = number(0), seconds.isFinite, seconds >= 0, let mode = number(1), let kind = kind(of: mode)
        else { return nil }
        let scalars = String(decoding: text, as: UTF8.self).unicodeScalars.prefix(CommentFile.longestText)
        let string = String(String.UnicodeScalarView(scalars))
        guard string.contains(where: { !$0.isWhitespace }) else { return nil }
        let size = number(2).flatMap { $0.isFinite && $0 > 0 ? $0 : nil } ?? usualSize
        return MovingComment(
            time: MediaTime(seconds: seconds), kind: kind, text: string, size: size / usualSize,
            color: color(number(3)), user: fields.count > 6 ? String(fields[6]) : "")
    }

    private static func kind(of mode: Double) -> MovingComment.Kind? {
        switch mode {
        case 1, 2, 3: .leftward
        case 4: .bottom
        case 5: .top
        case 6: .rightward
        default: nil
        }
    }

    /// Returns the color with the value 0xRRGGBB; white if there is no such color.
    private static func color(_ value: Double?) -> Color {
        guard let value, let bits = Int(exactly: value.rounded()), (0...0xFF_FFFF).contains(bits) else {
            return Color(red: 1, green: 1, blue: 1)
        }
        func component(_ shift: Int) -> Double { Double(bits >> shift & 0xFF) / 255 }
        return Color(red: component(16), green: component(8), blue: component(0))
    }
}
