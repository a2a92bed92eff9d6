import GlissadeCSystemd
import GlissadePlatform
import GlissadeTime

/// The media player object of MPRIS 2.2, with its two interfaces. Confined to the bus's thread.
///
/// https://specifications.freedesktop.org/mpris-spec/2.2/
final class MediaPlayerObject {
    static let busName = "org.mpris.MediaPlayer2"
    static let path = "/org/mpris/MediaPlayer2"
    private static let rootInterface = "org.mpris.MediaPlayer2"
    static let playerInterface = "org.mpris.MediaPlayer2.Player"

    private let bus: BusConnection
    let identity: DesktopSession.Identity
    let shared: SharedDesktopState
    /// The vtables of the interfaces. sd-bus reads them as long as the slots exist.
    private var tables: [UnsafeMutablePointer<sd_bus_vtable>] = []
    private var slots: [OpaquePointer] = []
    /// The state last announced on the bus.
    private var last = SharedDesktopState.Published()

    init(bus: BusConnection, identity: DesktopSession.Identity, shared: SharedDesktopState) throws(BusError) {
        self.bus = bus
        self.identity = identity
        self.shared = shared
        last = shared.published
        try add(Self.rootInterface, glissade_mpris_root(Self.handlers))
        try add(Self.playerInterface, glissade_mpris_player(Self.handlers))
    }

    deinit {
        slots.forEach { sd_bus_slot_unref($0) }
        tables.forEach { free($0) }
    }

    private func add(_ interface: String, _ table: UnsafeMutablePointer<sd_bus_vtable>?) throws(BusError) {
        guard let table else { throw BusError(code: -ENOMEM) }
        tables.append(table)
        var slot: OpaquePointer?
        try BusError.check(
            sd_bus_add_object_vtable(
                bus.pointer, &slot, Self.path, interface, table, Unmanaged.passUnretained(self).toOpaque()))
        if let slot { slots.append(slot) }
    }

    /// The callbacks of both interfaces. The `context` argument of each callback is the `MediaPlayerObject`, which owns
    /// the slots and therefore exists whenever a callback runs.
    private static let handlers = GlissadeBusHandlers(
        call: { message, context, error in
            guard let message, let context else { return 0 }
            let object = Unmanaged<MediaPlayerObject>.fromOpaque(context).takeUnretainedValue()
            let call = BusMessage(pointer: message)
            return BusError.code { () throws(BusError) in
                guard let refusal = try object.perform(call) else {
                    try call.replyDone()
                    return 1
                }
                return sd_bus_error_set(error, "org.freedesktop.DBus.Error.InvalidArgs", refusal)
            }
        },
        get: { _, _, _, property, reply, context, _ in
            guard let property, let reply, let context else { return 0 }
            let object = Unmanaged<MediaPlayerObject>.fromOpaque(context).takeUnretainedValue()
            return BusError.code { () throws(BusError) in
                try object.write(String(cString: property), to: BusMessage(pointer: reply))
                return 1
            }
        },
        set: { _, _, _, property, value, context, error in
            guard let property, let value, let context else { return 0 }
            let object = Unmanaged<MediaPlayerObject>.fromOpaque(context).takeUnretainedValue()
            return BusError.code { () throws(BusError) in
                let value = try BusMessage(pointer: value).readDouble()
                guard let refusal = object.set(String(cString: property), value) else { return 1 }
                return sd_bus_error_set(error, "org.freedesktop.DBus.Error.InvalidArgs", refusal)
            }
        })

    // MARK: - Notifying

    /// Emits D-Bus signals for everything that has changed in the published state since the last call.
    func notify(_ published: SharedDesktopState.Published) throws(BusError) {
        let (new, old) = (published.state, last.state)
        var names: [String] = []
        func compare(_ name: String, _ hasChanged: Bool) { if hasChanged { names.append(name) } }
        compare("PlaybackStatus", new.status != old.status)
        compare("Rate", Self.sane(new.rate) != Self.sane(old.rate))
        compare("MinimumRate", new.rates.lowerBound != old.rates.lowerBound)
        compare("MaximumRate", new.rates.upperBound != old.rates.upperBound)
        let isSameMedium = published.medium == last.medium && new.title == old.title && new.length == old.length
        let isSameMusic = new.artist == old.artist && new.album == old.album && new.art == old.art
        compare("Metadata", !isSameMedium || !isSameMusic || new.url != old.url)
        compare("Volume", Self.sane(new.volume) != Self.sane(old.volume))
        compare("CanGoNext", new.canGoNext != old.canGoNext)
        compare("CanGoPrevious", new.canGoPrevious != old.canGoPrevious)
        compare("CanSeek", new.canSeek != old.canSeek)
        let (isOpen, wasOpen) = (new.location != nil, old.location != nil)
        compare("CanPlay", isOpen != wasOpen)
        compare("CanPause", isOpen != wasOpen)
        let hasJumped = published.medium == last.medium ? published.jumps != last.jumps : published.jumps > 0
        last = published
        if !names.isEmpty {
            try BusError.tolerate { () throws(BusError) in
                try bus.emitChanges(of: names, of: Self.playerInterface, at: Self.path)
            }
        }
        guard hasJumped else { return }
        try BusError.tolerate { () throws(BusError) in
            try bus.emit("Seeked", of: Self.playerInterface, at: Self.path) { message throws(BusError) in
                try message.append(published.position(at: .now()).inMicroseconds)
            }
        }
    }

    /// Returns `number`, or 0 if `number` is negative or not finite.
    private static func sane(_ number: Double) -> Double { number.isFinite ? max(0, number) : 0 }

    private func write(_ property: String, to reply: BusMessage) throws(BusError) {
        let published = shared.published
        let state = published.state
        switch property {
        case "CanQuit", "CanRaise", "CanControl": try reply.append(true)
        case "HasTrackList": try reply.append(false)
        case "Identity": try reply.append(identity.title)
        case "DesktopEntry": try reply.append(identity.desktopEntry)
        case "SupportedUriSchemes": try reply.append(identity.schemes)
        case "SupportedMimeTypes": try reply.append(Self.mediaTypes)
        case "PlaybackStatus": try reply.append(state.status.rawValue)
        case "Rate": try reply.append(Self.sane(state.rate))
        case "MinimumRate": try reply.append(state.rates.lowerBound)
        case "MaximumRate": try reply.append(state.rates.upperBound)
        case "Volume": try reply.append(Self.sane(state.volume))
        case "Position": try reply.append(published.position(at: .now()).inMicroseconds)
        case "CanGoNext": try reply.append(state.canGoNext)
        case "CanGoPrevious": try reply.append(state.canGoPrevious)
        case "CanPlay", "CanPause": try reply.append(state.location != nil)
        case "CanSeek": try reply.append(state.canSeek)
        case "Metadata": try writeMetadata(published, to: reply)
        default: throw BusError(code: -ENOENT)
        }
    }

    private static let mediaTypes = [
        "video/mp4", "video/x-matroska", "video/webm", "video/x-msvideo", "video/quicktime", "video/mpeg", "video/mp2t",
        "video/ogg", "video/x-flv", "audio/mpeg", "audio/mp4", "audio/flac", "audio/ogg", "audio/x-wav",
    ]

    /// The maximum length of a title, in Unicode scalars. Longer titles are truncated.
    private static let longestTitle = 1024

    /// The maximum length of a URL, in bytes. A longer one is not published. Percent-encoding makes a path of 4096 bytes
    /// three times as long.
    private static let longestURL = 1 << 14

    /// Returns `title` without control characters and noncharacters, truncated to `longestTitle` scalars. sd-bus
    /// refuses noncharacters (`utf8_is_valid` in systemd's `src/basic/utf8.c`).
    static func readable(_ title: String) -> String {
        var readable = String.UnicodeScalarView()
        readable.append(
            contentsOf: title.unicodeScalars.lazy
                .filter { $0.properties.generalCategory != .control && !$0.properties.isNoncharacterCodePoint }
                .prefix(longestTitle))
        return String(readable)
    }

    private func writeMetadata(_ published: SharedDesktopState.Published, to reply: BusMessage) throws(BusError) {
        let state = published.state
        try reply.container("a", of: "{sv}") { () throws(BusError) in
            try reply.entry("mpris:trackid", "o") { () throws(BusError) in
                try reply.append(Self.trackPath(published), as: "o")
            }
            guard state.location != nil else { return }
            if let url = state.url, url.utf8.count <= Self.longestURL, url.utf8.allSatisfy({ 0x21...0x7E ~= $0 }) {
                try reply.entry("xesam:url", "s") { () throws(BusError) in try reply.append(url) }
            }
            if let title = state.title {
                try reply.entry("xesam:title", "s") { () throws(BusError) in
                    try reply.append(Self.readable(title))
                }
            }
            if let artist = state.artist {
                try reply.entry("xesam:artist", "as") { () throws(BusError) in
                    try reply.append([Self.readable(artist)])
                }
            }
            for (key, text) in [("xesam:album", state.album), ("mpris:artUrl", state.art)] {
                guard let text else { continue }
                try reply.entry(key, "s") { () throws(BusError) in try reply.append(Self.readable(text)) }
            }
            if let length = state.length {
                try reply.entry("mpris:length", "x") { () throws(BusError) in
                    try reply.append(length.inMicroseconds)
                }
            }
        }
    }

    /// Returns the object path that identifies the open media; MPRIS's `NoTrack` path if nothing is open.
    static func trackPath(_ published: SharedDesktopState.Published) -> String {
        published.state.location == nil
            ? "/org/mpris/MediaPlayer2/TrackList/NoTrack" : "/org/glissade/medium/\(published.medium)"
    }
}

extension Duration {
    /// The duration in whole microseconds, rounded toward zero.
    fileprivate var inMicroseconds: Int64 { nanoseconds / 1000 }
}
