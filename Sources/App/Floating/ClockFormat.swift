/// The format of the floating clock: a pattern in which `yyyy`, `MM`, `dd`, `HH`, `mm`, `ss` and `S` stand for the year,
/// month, day, hour, minute, second and tenth of a second. All other characters stand for themselves.
struct ClockFormat: Hashable {
    enum Field: Hashable {
        case year, month, day, hour, minute, second, tenth

        /// The number of digits.
        var width: Int {
            switch self {
            case .year: 4
            case .tenth: 1
            case .month, .day, .hour, .minute, .second: 2
            }
        }
    }

    enum Part: Hashable {
        case field(Field)
        case literal(Character)
    }

    static let time = ClockFormat("HH:mm:ss.S")

    let parts: [Part]

    init(_ pattern: String) {
        let fields: [(String, Field)] = [
            ("yyyy", .year), ("MM", .month), ("dd", .day), ("HH", .hour), ("mm", .minute), ("ss", .second),
            ("S", .tenth),
        ]
        var (parts, rest) = ([Part](), Substring(pattern))
        while let first = rest.first {
            if let (text, field) = fields.first(where: { rest.hasPrefix($0.0) }) {
                parts.append(.field(field))
                rest = rest.dropFirst(text.count)
            } else {
                parts.append(.literal(first))
                rest = rest.dropFirst()
            }
        }
        self.parts = parts
    }

    var showsTenths: Bool { parts.contains(.field(.tenth)) }
}
