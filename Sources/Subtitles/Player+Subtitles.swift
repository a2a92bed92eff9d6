public import Playback

extension Player {
    /// Makes `subtitles` show the selected subtitle track, now and after each new selection; nil detaches. They are
    /// kept alive until then, or for the player's lifetime.
    public func attach(_ subtitles: Subtitles?) { attach(subtitles as (any SubtitleReceiver)?) }
}
