public import GlissadePlayback

extension Player {
    /// Makes `subtitles` show the selected subtitle track, now and after each new selection. If `subtitles` is nil,
    /// detaches the current object. The player retains the attached object.
    public func attach(_ subtitles: Subtitles?) { attach(subtitles as (any SubtitleReceiver)?) }
}
