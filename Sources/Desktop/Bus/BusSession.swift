import GlissadeCSystemd
import Glibc
import GlissadePlatform
import GlissadeTime

/// The objects that the bus's thread uses: the connection, the media player object, and the screen saver inhibitor.
final class BusSession {
    private let bus: BusConnection
    private let player: MediaPlayerObject
    private let screenSaver: ScreenSaverInhibitor
    private let shared: SharedDesktopState

    init(identity: DesktopSession.Identity, address: String?, shared: SharedDesktopState) throws(BusError) {
        self.shared = shared
        bus = try BusConnection(address: address)
        player = try MediaPlayerObject(bus: bus, identity: identity, shared: shared)
        screenSaver = ScreenSaverInhibitor(bus: bus, title: identity.title) { shared.report($0) }
        // The name is requested last, once everything it stands for is in place. As MPRIS demands, a second instance
        // takes a different name.
        let name = MediaPlayerObject.busName + "." + identity.name
        for name in [name, name + ".instance\(getpid())"] where try bus.take(name) {
            shared.busName = name
            break
        }
    }

    /// Publishes state changes and processes bus messages until `wake.isOver` is set. Throws when the connection is
    /// lost.
    func run(_ wake: BusLink.WakeDescriptor) throws(BusError) {
        screenSaver.listen()
        while !wake.isOver.load(ordering: .acquiring) {
            let published = shared.published
            try player.notify(published)
            try BusError.tolerate { () throws(BusError) in
                try screenSaver.keepAwake(published.state.keepsScreenOn)
            }
            if try !bus.process() { try sleep(wake) }
        }
    }

    private func sleep(_ wake: BusLink.WakeDescriptor) throws(BusError) {
        let (descriptor, events, deadline) = try bus.waiting()
        var descriptors = [
            pollfd(fd: wake.descriptor, events: Int16(POLLIN), revents: 0),
            pollfd(fd: descriptor, events: events, revents: 0),
        ]
        var wait: CInt = -1
        if deadline != .max {
            let now = UInt64(max(0, HostTime.now().nanoseconds / 1000))
            wait = CInt(clamping: deadline > now ? (deadline - now) / 1000 + 1 : 0)
        }
        if poll(&descriptors, 2, wait) < 0, errno != EINTR { throw BusError(code: -errno) }
        if descriptors[0].revents != 0 { wake.clear() }
    }
}
