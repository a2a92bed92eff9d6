import Geometry
import Glibc
import Layers
import Navigation
import Platform
import Time

/// The floating clock, which shows tenths of a second and is redrawn ten times a second. Main thread.
@MainActor final class ClockElement: FloatingElement {
    /// A time of day, shown as `23:59:59.9`.
    struct Reading: Equatable {
        /// Tenths of a second since midnight.
        var tenths: Int

        /// Creates the reading for `time` in the system's time zone.
        init(_ time: CalendarTime) {
            let (seconds, rest) = Self.divided(time.nanoseconds, by: 1_000_000_000)
            var second = time_t(seconds)
            var parts = tm()
            localtime_r(&second, &parts)
            tenths =
                ((Int(parts.tm_hour) * 60 + Int(parts.tm_min)) * 60 + Int(parts.tm_sec)) * 10 + Int(rest / 100_000_000)
        }

        init(tenths: Int) { self.tenths = tenths }

        var characters: [Character] {
            let seconds = tenths / 10
            return [seconds / 3600, seconds / 60 % 60, seconds % 60].map { part in
                (part < 10 ? "0" : "") + String(part)
            }.joined(separator: ":") + [".", Character(String(tenths % 10))]
        }

        /// Returns the duration from `time` to the next full tenth of a second.
        static func rest(after time: CalendarTime) -> Duration {
            let (_, past) = divided(time.nanoseconds, by: 100_000_000)
            return .nanoseconds(100_000_000 - past)
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
    let preferredSize = Size(width: 300, height: 96)
    let redrawInterval: Duration? = .milliseconds(100)
    var onNeedsDisplay: (@MainActor () -> Void)?

    /// One layer per character, so that the images of the ten digits are reused.
    private var characters: [Layer] = []
    private var shown: [Character] = []
    private var reading: Reading?
    private var style = TextStyle(size: 40, weight: .semibold, color: Theme.text, hasTabularDigits: true)
    private var size = Size.zero
    private let clock: @MainActor () -> CalendarTime

    /// - Parameter clock: Returns the current calendar time.
    init(clock: @escaping @MainActor () -> CalendarTime = CalendarTime.now) {
        self.clock = clock
        for _ in 0..<10 {
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
    /// The width of the text as a multiple of the font size: seven digits and three separators.
    private static let length = 7 * digit + 3 * mark

    func layout(size: Size, scale: Double) {
        guard size != self.size else { return }
        self.size = size
        let room = max(0, size.width - 24)
        style.size = max(8, min(room / Self.length, size.height * 0.56).rounded(.down))
        let height = (style.size * 1.3).rounded()
        var x = ((size.width - Self.length * style.size) / 2).rounded()
        for (index, character) in characters.enumerated() {
            let width = [2, 5, 8].contains(index) ? Self.mark * style.size : Self.digit * style.size
            let room = (width * (1 + 2 * Self.reserve)).rounded(.up)
            character.frame = Rect(
                x: x + (width - room) / 2, y: ((size.height - height) / 2).rounded(), width: room, height: height)
            x += width
        }
        shown = []
        show()
    }

    func advance(to now: HostTime) -> Bool { take(Reading(clock())) }

    func nextWake(now: HostTime) -> HostTime? { now + Reading.rest(after: clock()) }

    /// Shows `reading`. Returns whether it differs from the previous reading.
    @discardableResult private func take(_ reading: Reading) -> Bool {
        guard reading != self.reading else { return false }
        self.reading = reading
        show()
        return true
    }

    private func show() {
        guard let reading else { return }
        let wanted = reading.characters
        for (index, character) in wanted.enumerated() where shown.isEmpty || shown[index] != character {
            var style = style
            if index >= 8 { style.color = Theme.accent }
            characters[index].content = .text(TextContent(String(character), style: style, alignment: .center))
        }
        shown = wanted
    }
}
