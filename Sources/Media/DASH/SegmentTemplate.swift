/// A template for the addresses of a representation's segments (ISO/IEC 23009-1, 5.3.9.4.4).
///
/// `$RepresentationID$` and `$Bandwidth$` are replaced at once. `$Number$` and `$Time$` differ for each segment. The
/// address is resolved only once, with a mark in the place of each of them.
struct SegmentTemplate: Hashable, Sendable {
    private enum Variable: Hashable {
        case number(width: Int)
        case time(width: Int)
    }

    /// The text before each variable, and after the last one.
    private let texts: [String]
    private let variables: [Variable]

    /// The longest address that FFmpeg's HLS demuxer reads, with some space for the variables, in bytes.
    static let longestAddress = 4000
    /// The maximum number of variables.
    private static let mostVariables = 8
    /// The largest number of digits that a template may ask for, and the most that a number has.
    private static let mostDigits = 20
    /// A character that is valid in no address, and what `WebAddress` makes of it.
    private static let mark = (text: "\u{1}", encoded: "%01")

    /// Parses a template, and resolves it relative to `base`.
    ///
    /// - Parameters:
    ///   - id: The value of `$RepresentationID$`.
    ///   - bandwidth: The value of `$Bandwidth$`.
    init(_ template: String, id: String, bandwidth: Int, base: WebAddress) throws(DASHFailure) {
        var text = ""
        var variables: [Variable] = []
        // The parts at odd places are between two dollar signs.
        let parts = template.split(separator: "$", omittingEmptySubsequences: false)
        guard parts.count % 2 == 1, !Self.isMarked(id) else { throw .invalidAddress }
        for (place, part) in parts.enumerated() {
            guard place % 2 == 1 else {
                if Self.isMarked(part) { throw .invalidAddress }
                text += part
                continue
            }
            let (name, width) = try Self.identifier(part)
            switch name {
            case "": text += "$"
            case "RepresentationID": text += id
            case "Bandwidth": text += Self.padded(Int64(bandwidth), width)
            case "Number", "Time":
                guard variables.count < Self.mostVariables else { throw .invalidAddress }
                text += Self.mark.text
                variables.append(name == "Number" ? .number(width: width) : .time(width: width))
            default: throw .invalidAddress
            }
        }
        guard let address = base.resolving(text), Self.isUsable(address.text) else { throw .invalidAddress }
        texts = address.text.split(separator: Self.mark.encoded, omittingEmptySubsequences: false).map(String.init)
        self.variables = variables
        guard texts.count == variables.count + 1 else { throw .invalidAddress }
    }

    /// Whether each segment has its own address.
    var isVariable: Bool { !variables.isEmpty }

    /// The maximum length of the addresses, in bytes.
    var byteCount: Int { texts.reduce(variables.count * Self.mostDigits) { $0 + $1.utf8.count } }

    /// Returns the address of the segment with this number and this start time, in units of the timescale.
    func address(number: Int64, time: Int64) -> String {
        var address = texts[0]
        for (variable, text) in zip(variables, texts.dropFirst()) {
            switch variable {
            case .number(let width): address += Self.padded(number, width)
            case .time(let width): address += Self.padded(time, width)
            }
            address += text
        }
        return address
    }

    /// Whether an address can be written in an HLS playlist, also between quotation marks.
    static func isUsable(_ address: String) -> Bool {
        address.utf8.count <= longestAddress
            && address.utf8.allSatisfy { $0 > 0x20 && $0 != 0x7F && $0 != UInt8(ascii: "\"") }
    }

    private static func isMarked(_ text: some StringProtocol) -> Bool {
        text.contains(mark.text) || text.contains(mark.encoded)
    }

    /// Parses what is between two dollar signs: a name, and optionally the least number of digits, such as `%05d`.
    private static func identifier(_ text: Substring) throws(DASHFailure) -> (name: Substring, width: Int) {
        let parts = text.split(separator: "%", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count > 1 else { return (text, 1) }
        guard parts[1].hasPrefix("0"), parts[1].hasSuffix("d"), let width = Int(parts[1].dropFirst().dropLast()),
            (1...mostDigits).contains(width)
        else { throw .invalidAddress }
        return (parts[0], width)
    }

    private static func padded(_ number: Int64, _ width: Int) -> String {
        let digits = String(number)
        let missing = width - digits.utf8.count
        return missing > 0 ? String(repeating: "0", count: missing) + digits : digits
    }
}
