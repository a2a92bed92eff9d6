import CSystemd
import Platform
import Time

/// What others ask of the player. What is out of reach is left undone, as MPRIS has it; what is no value is refused.
extension MediaPlayerObject {
    /// Longer addresses are refused.
    private static let longestAddress = 1 << 16

    /// Does what a call says. - Returns: why it is refused; nil where it is not.
    func perform(_ call: BusMessage) throws(BusError) -> String? {
        let told = exchange.told
        let state = told.state
        let isOpen = state.location != nil
        switch call.member {
        case "Raise": exchange.ask(for: .raise)
        case "Quit": exchange.ask(for: .quit)
        case "Play": if isOpen { exchange.ask(for: .play) }
        case "Pause": if isOpen { exchange.ask(for: .pause) }
        case "PlayPause": if isOpen { exchange.ask(for: .playPause) }
        case "Stop": if isOpen { exchange.ask(for: .stop) }
        case "Next": if state.canGoNext { exchange.ask(for: .next) }
        case "Previous": if state.canGoPrevious { exchange.ask(for: .previous) }
        case "Seek": seek(by: .microseconds(try call.readInt64()), told)
        case "SetPosition":
            let track = try call.readText(as: "o")
            let place = Duration.microseconds(try call.readInt64())
            // A call that was on its way while another medium came is none for that one.
            guard state.canSeek, track == Self.trackPath(told), place >= .zero, place <= state.length ?? place else {
                break
            }
            exchange.ask(for: .setPosition(place))
        case "OpenUri":
            let address = try call.readText()
            guard let colon = address.utf8.prefix(16).firstIndex(of: UInt8(ascii: ":")),
                identity.schemes.contains(address[..<colon].lowercased()), address.utf8.count <= Self.longestAddress
            else { return "no address that can be opened" }
            exchange.ask(for: .open(address))
        default: throw BusError(code: -ENOENT)
        }
        return nil
    }

    private func seek(by offset: Duration, _ told: DesktopMailbox.Told) {
        let state = told.state
        guard state.canSeek else { return }
        let position = told.position(at: .now())
        if let length = state.length, offset > length - position {
            // Beyond the end lies what comes next.
            exchange.ask(for: state.canGoNext ? .next : .setPosition(length))
        } else {
            exchange.ask(for: .seek(by: max(offset, .zero - position)))
        }
    }

    /// Does what the writing of a property says. - Returns: why it is refused; nil where it is not.
    func set(_ property: String, _ value: Double) -> String? {
        guard value.isFinite else { return "not a number" }
        switch property {
        case "Volume": exchange.ask(for: .setVolume(min(max(0, value), DesktopSession.loudest)))
        case "Rate":
            // A speed of zero is a pause; one that is out of reach, the nearest.
            let rates = exchange.told.state.rates
            exchange.ask(for: value == 0 ? .pause : .setRate(min(max(rates.lowerBound, value), rates.upperBound)))
        default: return "nothing that can be set"
        }
        return nil
    }
}
