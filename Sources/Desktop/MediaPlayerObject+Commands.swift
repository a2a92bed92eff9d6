import GlissadeCSystemd
import GlissadePlatform
import GlissadeTime

/// Handles calls from other programs. As MPRIS requires, a request that is currently impossible is ignored.
extension MediaPlayerObject {
    /// The maximum length of a URL, in bytes.
    private static let longestAddress = 1 << 16

    /// Performs a method call. Throws if the method is unknown, or if an argument is missing or has the wrong type.
    ///
    /// - Returns: The reason for refusing the call; nil if the call is accepted.
    func perform(_ call: BusMessage) throws(BusError) -> String? {
        let published = shared.published
        let state = published.state
        let isOpen = state.location != nil
        switch call.member {
        case "Raise": shared.enqueue(.raise)
        case "Quit": shared.enqueue(.quit)
        case "Play": if isOpen { shared.enqueue(.play) }
        case "Pause": if isOpen { shared.enqueue(.pause) }
        case "PlayPause": if isOpen { shared.enqueue(.playPause) }
        case "Stop": if isOpen { shared.enqueue(.stop) }
        case "Next": if state.canGoNext { shared.enqueue(.next) }
        case "Previous": if state.canGoPrevious { shared.enqueue(.previous) }
        case "Seek": seek(by: .microseconds(try call.readInt64()), published)
        case "SetPosition":
            let track = try call.readText(as: "o")
            let place = Duration.microseconds(try call.readInt64())
            // The call may have been sent while other media was open.
            guard state.canSeek, track == Self.trackPath(published), place >= .zero, place <= state.length ?? place
            else {
                break
            }
            shared.enqueue(.setPosition(place))
        case "OpenUri":
            let address = try call.readText()
            guard let colon = address.utf8.prefix(16).firstIndex(of: UInt8(ascii: ":")),
                identity.schemes.contains(address[..<colon].lowercased()), address.utf8.count <= Self.longestAddress
            else { return "no address that can be opened" }
            shared.enqueue(.open(address))
        default: throw BusError(code: -ENOENT)
        }
        return nil
    }

    private func seek(by offset: Duration, _ published: SharedDesktopState.Published) {
        let state = published.state
        guard state.canSeek else { return }
        let position = published.position(at: .now())
        if let length = state.length, offset > length - position {
            // MPRIS: seeking beyond the end acts like `Next`.
            shared.enqueue(state.canGoNext ? .next : .setPosition(length))
        } else {
            shared.enqueue(.seek(by: max(offset, .zero - position)))
        }
    }

    /// Requests a new value for the MPRIS property `Volume` or `Rate`.
    ///
    /// - Returns: The reason for refusing the value; nil if the value is accepted.
    func set(_ property: String, _ value: Double) -> String? {
        guard value.isFinite else { return "not a number" }
        switch property {
        case "Volume": shared.enqueue(.setVolume(min(max(0, value), DesktopSession.loudest)))
        case "Rate":
            // MPRIS: a rate of zero acts like `Pause`. A rate out of range is clamped.
            let rates = shared.published.state.rates
            shared.enqueue(value == 0 ? .pause : .setRate(min(max(rates.lowerBound, value), rates.upperBound)))
        default: return "nothing that can be set"
        }
        return nil
    }
}
