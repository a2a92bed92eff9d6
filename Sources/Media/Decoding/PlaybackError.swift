import CFFmpeg
import Platform

/// Why a media cannot be played, or stopped being playable, in words for a person.
public enum PlaybackError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The file or address could not be opened or read as media.
    case cannotOpen(reason: String)
    /// It opened, but holds neither video nor sound that can be decoded.
    case nothingToPlay(reason: String)
    /// It played, and cannot be read on: the network, or the server, is gone. `play` or a seek tries again.
    case connectionLost(reason: String)

    public var description: String {
        switch self {
        case .cannotOpen(let reason), .nothingToPlay(let reason): reason
        case .connectionLost(let reason): "connection lost: \(reason)"
        }
    }

    package static var outOfMemory: PlaybackError { .cannotOpen(reason: describe(code: Media.outOfMemory)) }
}

/// Something that went wrong while playing went on. Each kind is reported once a media.
public enum PlaybackProblem: Hashable, Sendable, CustomStringConvertible {
    /// Data was damaged; what could be decoded of it is shown.
    case damagedData(reason: String)
    /// The media ended well before the length that it declares.
    case endsEarly(at: Double, declared: Double)
    /// No sound server takes the sound; playing goes on in silence until one does.
    case noSoundServer(reason: String)
    /// A stream cannot be decoded; the others play.
    case streamNotPlayable(kind: String, reason: String)
    /// The device that was asked for does not decode it; it is decoded in software.
    case noHardwareDecoding(device: String, reason: String)
    /// The device has ceased to decode it; it is decoded in software from there on.
    case hardwareFailed(device: String, reason: String)
    /// Lines that take too long to draw are left out: those, or, of a source that has had its time, all that follow.
    case subtitlesLeftOut(isAll: Bool)

    /// What a problem is told apart by.
    package enum Kind: Hashable {
        case damagedData, endsEarly, noSoundServer, noHardwareDecoding, hardwareFailed
        case streamNotPlayable(String)
        case subtitlesLeftOut(isAll: Bool)
    }

    package var kind: Kind {
        switch self {
        case .damagedData: .damagedData
        case .endsEarly: .endsEarly
        case .noSoundServer: .noSoundServer
        case .streamNotPlayable(let kind, _): .streamNotPlayable(kind)
        case .noHardwareDecoding: .noHardwareDecoding
        case .hardwareFailed: .hardwareFailed
        case .subtitlesLeftOut(let isAll): .subtitlesLeftOut(isAll: isAll)
        }
    }

    public var description: String {
        switch self {
        case .damagedData(let reason): "damaged data (\(reason)); playing what there is"
        case .endsEarly(let at, let declared):
            "ends early, at \(Self.tenths(at)) s of \(Self.tenths(declared)) s: the file is incomplete"
        case .noSoundServer(let reason): "no sound server (\(reason)); playing on in silence"
        case .streamNotPlayable(let kind, let reason): "its \(kind) cannot be played: \(reason)"
        case .noHardwareDecoding(let device, let reason):
            "no hardware decoding by \(device) (\(reason)); decoding in software"
        case .hardwareFailed(let device, let reason):
            "hardware decoding by \(device) has failed (\(reason)); decoding in software"
        case .subtitlesLeftOut(isAll: false): "a subtitle takes too long to draw; leaving it out"
        case .subtitlesLeftOut(isAll: true): "its subtitles take too long to draw; showing no more of them"
        }
    }

    private static func tenths(_ seconds: Double) -> String { String((seconds * 10).rounded() / 10) }
}

/// FFmpeg's own words for one of its return codes.
package func describe(code: CInt) -> String {
    if code == MediaInput.packetTooLarge { return "a packet is too large" }
    if code == MediaInput.indexTooLarge { return "its index is too large" }
    return withUnsafeTemporaryAllocation(of: CChar.self, capacity: 128) { buffer in
        av_strerror(code, buffer.baseAddress, buffer.count)
        return String(decoding: buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
