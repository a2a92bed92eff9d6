public import Playback

extension Player {
    /// Has `subtitles` show what it reads of the selected subtitle track, now and with every other that is selected; nil
    /// has nobody show it. They are kept alive until then, or as long as the player is.
    public func attach(_ subtitles: Subtitles?) { attach(subtitles as (any SubtitleReceiver)?) }
}
