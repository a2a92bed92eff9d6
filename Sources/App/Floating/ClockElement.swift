import GlissadeGeometry
import Glibc
import GlissadeLayers
import GlissadeNavigation
import GlissadePlatform
import GlissadeTime

/// The floating clock, redrawn whenever its last digit changes. Main thread.
@MainActor final class ClockElement: FloatingElement {
    /// A date and a time of day.
    struct Reading: Equatable {
        var (year, month, day) = (1970, 1, 1)
        /// Tenths of a second since midnight.
        var tenths: Int

        /// Creates the reading for `time` in the system's time zone.
        init(_ time: CalendarTime) {
            let (seconds, rest) = Self.divided(time.nanoseconds, by: 1_000_000_000)
            var second = time_t(seconds)
            var parts = tm()
            localtime_r(&second, &parts)
            (year, month, day) = (Int(parts.tm_year) + 1900, Int(parts.tm_mon) + 1, Int(parts.tm_mday))
            tenths =
                ((Int(parts.tm_hour) * 60 + Int(parts.tm_min)) * 60 + Int(parts.tm_sec)) * 10 + Int(rest / 100_000_000)
        }

        init(tenths: Int) { self.tenths = tenths }

        func characters(_ format: ClockFormat = .time) -> [Character] {
            format.parts.flatMap { part -> [Character] in
                switch part {
                case .literal(let character): [character]
                case .field(let field): Self.digits(value(of: field), field.width)
                }
            }
        }

        private func value(of field: ClockFormat.Field) -> Int {
            let seconds = tenths / 10
            return switch field {
            case .year: year
            case .month: month
            case .day: day
            case .hour: seconds / 3600
            case .minute: seconds / 60 % 60
            case .second: seconds % 60
            case .tenth: tenths % 10
            }
        }

        private static func digits(_ value: Int, _ count: Int) -> [Character] {
            let digits = String(max(value, 0))
            return Array(String(repeating: "0", count: max(count - digits.count, 0)) + digits).suffix(count)
        }

        /// Returns the duration from `time` to the next full tenth of a second, or the next multiple of `step`.
        static func rest(after time: CalendarTime, step: Int64 = 100_000_000) -> Duration {
            let (_, past) = divided(time.nanoseconds, by: step)
            return .nanoseconds(step - past)
        }

        /// Returns the quotient, rounded down, and the nonnegative remainder. `value` may be negative.
        private static func divided(_ value: Int64, by unit: Int64) -> (Int64, Int64) {
            let rest = ((value % unit) + unit) % unit
            return ((value - rest) / unit, rest)
        }
    }

    let layer = Layer(content: .color(Theme.background))
    let title = "Clock"
    var aspect: Size? { nil }
    let preferredSize: Size
    let redrawInterval: Duration?
    var onNeedsDisplay: (@MainActor () -> Void)?

    /// One layer per character, so that the images of the ten digits are reused.
    private var characters: [Layer] = []
    private var shown: [Character] = []
    private var reading: Reading?
    private var style = TextStyle(size: 40, weight: .semibold, color: Theme.text, hasTabularDigits: true)
    private var size = Size.zero
    private let clock: @MainActor () -> CalendarTime
    private let format: ClockFormat
    /// The number of nanoseconds between two readings that may look different.
    private let step: Int64
    /// Whether each character is a digit of the time, which has more room than a separator.
    private let isDigit: [Bool]
    /// The index of the first character of the tenths, which have another color; the number of characters if there are
    /// none.
    private let accentStart: Int

    /// - Parameter clock: Returns the current calendar time.
    init(format: ClockFormat = .time, clock: @escaping @MainActor () -> CalendarTime = CalendarTime.now) {
        self.clock = clock
        self.format = format
        step = format.showsTenths ? 100_000_000 : 1_000_000_000
        redrawInterval = .nanoseconds(step)
        isDigit = format.parts.flatMap { part in
            if case .field(let field) = part { return Array(repeating: true, count: field.width) }
            return [false]
        }
        let lastParts = format.parts.suffix(2)
        let endsWithTenths = lastParts.count == 2 && lastParts.last == .field(.tenth)
        accentStart = isDigit.count - (endsWithTenths ? 2 : 0)
        length = isDigit.reduce(0) { $0 + ($1 ? Self.digit : Self.mark) }
        preferredSize = Size(width: max((24 + length * 44.8).rounded(), 160), height: 96)
        for _ in isDigit {
            let character = Layer()
            character.isHitTestable = false
            characters.append(character)
            layer.add(character)
        }
        layer.isHitTestable = false
        take(Reading(clock()))
    }

    /// The widths reserved for a digit and for a separator, as fractions of the font size. They are large enough for
    /// DejaVu Sans Bold, which is wider than most fonts.
    private static let (digit, mark) = (0.71, 0.4)
    /// The margin on each side of a character in its layer, as a fraction of the character's width. Prevents clipping
    /// in wide fonts.
    private static let reserve = 0.25
    /// The width of the text as a multiple of the font size.
    private let length: Double

    func layout(size: Size, scale: Double) {
        guard size != self.size else { return }
        self.size = size
        let room = max(0, size.width - 24)
        style.size = max(8, min(room / length, size.height * 0.56).rounded(.down))
        let height = (style.size * 1.3).rounded()
        var x = ((size.width - length * style.size) / 2).rounded()
        for (index, character) in characters.enumerated() {
            let width = (isDigit[index] ? Self.digit : Self.mark) * style.size
            let room = (width * (1 + 2 * Self.reserve)).rounded(.up)
            character.frame = Rect(
                x: x + (width - room) / 2, y: ((size.height - height) / 2).rounded(), width: room, height: height)
            x += width
        }
        shown = []
        show()
    }

    func advance(to now: HostTime) -> Bool { take(Reading(clock())) }

    func nextWake(now: HostTime) -> HostTime? { now + Reading.rest(after: clock(), step: step) }

    /// Shows `reading`. Returns whether it differs from the previous reading.
    @discardableResult private func take(_ reading: Reading) -> Bool {
        var reading = reading
        if !format.showsTenths { reading.tenths -= reading.tenths % 10 }
        guard reading != self.reading else { return false }
        self.reading = reading
        show()
        return true
    }

    private func show() {
        guard let reading else { return }
        let wanted = reading.characters(format)
        for (index, character) in wanted.enumerated() where shown.isEmpty || shown[index] != character {
            var style = style
            if index >= accentStart { style.color = Theme.accent }
            characters[index].content = .text(TextContent(String(character), style: style, alignment: .center))
        }
        shown = wanted
    }
}
