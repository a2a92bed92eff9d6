import GlissadeCFFmpeg
import GlissadePlatform

/// The reason why a media file cannot be played, as text for the user.
public enum PlaybackError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The file or URL could not be opened or read as media.
    case cannotOpen(reason: String)
    /// The media was opened, but contains no video or audio that can be decoded.
    case nothingToPlay(reason: String)
    /// Reading failed during playback because the connection was lost. Calling `play` or seeking tries to read again.
    case connectionLost(reason: String)

    public var description: String {
        switch self {
        case .cannotOpen(let reason), .nothingToPlay(let reason): reason
        case .connectionLost(let reason): "connection lost: \(reason)"
        }
    }

    package static var outOfMemory: PlaybackError { .cannotOpen(reason: describe(code: GlissadeMedia.outOfMemory)) }
}

/// A problem that does not stop playback. Each `Kind` is reported once per media item.
public enum PlaybackProblem: Hashable, Sendable, CustomStringConvertible {
    /// Some data is damaged. Everything that can be decoded is played.
    case damagedData(reason: String)
    /// The media ended at `at`, well before its declared duration, which is nil if unknown. Both times are in seconds.
    case endsEarly(at: Double, declared: Double?)
    /// No sound server is available. Playback continues in silence until one appears.
    case noSoundServer(reason: String)
    /// A stream of the given kind cannot be decoded. The other streams play.
    case streamNotPlayable(kind: String, reason: String)
    /// The requested device cannot decode the stream, so the stream is decoded in software.
    case noHardwareDecoding(device: String, reason: String)
    /// The device stopped decoding, so decoding continues in software.
    case hardwareFailed(device: String, reason: String)
    /// Subtitles are skipped because they take too long to render. If `isAll` is true, the subtitle source has used up
    /// its time budget, and all of its remaining subtitles are skipped.
    case subtitlesLeftOut(isAll: Bool)

    /// The kind of a problem, without its details. Unplayable streams of different kinds, such as video and audio,
    /// count as different kinds of problems.
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
        case .damagedData(let reason): "damaged data (\(reason)); playing what can be decoded"
        case .endsEarly(let at, let declared):
            "ends after \(Self.tenths(at)) s\(declared.map { " instead of \(Self.tenths($0)) s" } ?? ""): the file is incomplete"
        case .noSoundServer(let reason): "no sound server (\(reason)); playing without audio"
        case .streamNotPlayable(let kind, let reason): "its \(kind) cannot be played: \(reason)"
        case .noHardwareDecoding(let device, let reason):
            "cannot decode with \(device) (\(reason)); decoding in software"
        case .hardwareFailed(let device, let reason):
            "decoding with \(device) failed (\(reason)); decoding in software"
        case .subtitlesLeftOut(isAll: false): "a subtitle takes too long to render; skipping it"
        case .subtitlesLeftOut(isAll: true): "its subtitles take too long to render; hiding the rest"
        }
    }

    private static func tenths(_ seconds: Double) -> String { String((seconds * 10).rounded() / 10) }
}

/// Returns the message for an error code of FFmpeg or `MediaInput.read`.
package func describe(code: CInt) -> String {
    if code == MediaInput.packetTooLarge { return "packet too large" }
    if code == MediaInput.indexTooLarge { return "index too large" }
    return withUnsafeTemporaryAllocation(of: CChar.self, capacity: 128) { buffer in
        av_strerror(code, buffer.baseAddress, buffer.count)
        return String(decoding: buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
