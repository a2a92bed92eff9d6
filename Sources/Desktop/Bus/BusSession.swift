import CSystemd
import Glibc
import Platform
import Time

/// What lives on the bus's thread: the connection, the player on it, and what keeps the screen on.
final class BusSession {
    private let bus: BusConnection
    private let player: MediaPlayerObject
    private let screenSaver: ScreenSaverInhibitor
    private let exchange: DesktopMailbox

    init(identity: DesktopSession.Identity, address: String?, exchange: DesktopMailbox) throws(BusError) {
        self.exchange = exchange
        bus = try BusConnection(address: address)
        player = try MediaPlayerObject(bus: bus, identity: identity, exchange: exchange)
        screenSaver = ScreenSaverInhibitor(bus: bus, title: identity.title) { exchange.report($0) }
        // Only once everything that the name stands for is there. A second program takes a name of its own, as MPRIS has it.
        let name = MediaPlayerObject.busName + "." + identity.name
        for name in [name, name + ".instance\(getpid())"] where try bus.take(name) {
            exchange.busName = name
            break
        }
    }

    /// Until `bell` says that it is over, or the bus goes away.
    func run(_ bell: BusLink.Bell) throws(BusError) {
        screenSaver.listen()
        while !bell.isOver.load(ordering: .acquiring) {
            let told = exchange.told
            try player.tell(told)
            try BusError.tolerate { () throws(BusError) in
                try screenSaver.keepAwake(told.state.keepsScreenOn)
            }
            if try !bus.process() { try sleep(bell) }
        }
    }

    private func sleep(_ bell: BusLink.Bell) throws(BusError) {
        let (descriptor, events, deadline) = try bus.waiting()
        var descriptors = [
            pollfd(fd: bell.descriptor, events: Int16(POLLIN), revents: 0),
            pollfd(fd: descriptor, events: events, revents: 0),
        ]
        var wait: CInt = -1
        if deadline != .max {
            let now = UInt64(max(0, HostTime.now().nanoseconds / 1000))
            wait = CInt(clamping: deadline > now ? (deadline - now) / 1000 + 1 : 0)
        }
        if poll(&descriptors, 2, wait) < 0, errno != EINTR { throw BusError(code: -errno) }
        if descriptors[0].revents != 0 { bell.silence() }
    }
}
