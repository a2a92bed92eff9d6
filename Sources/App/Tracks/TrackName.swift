import GlissadeLibrary
import GlissadeMedia
import GlissadePlatform

/// The names of tracks in menus, and the choice of a track by language.
enum TrackName {
    /// Returns the first track in the most preferred language that any track has; nil if no language matches.
    ///
    /// - Parameter languages: ISO 639 codes, most preferred first.
    static func first(of tracks: [MediaInfo.Track], in languages: [String]) -> MediaInfo.Track? {
        for language in languages {
            let name = LanguageName.text(language)
            let match = tracks.first { track in track.language.map { LanguageName.text($0) == name } ?? false }
            if let match { return match }
        }
        return nil
    }

    /// Returns the name of a track: its language and title, as far as they are known. If they are the same, returns
    /// only the title. If both are unknown, returns “Track” and the number.
    ///
    /// - Parameter number: The track's number among the tracks of its kind, from 1.
    static func text(_ track: MediaInfo.Track, number: Int) -> String {
        let language = track.language.flatMap(LanguageName.text)
        switch (track.title.map(DisplaySafeText.text), language) {
        case (let title?, let language?) where title.lowercased() != language.lowercased():
            return "\(language) – \(title)"
        case (let title?, _): return title
        case (nil, let language?): return language
        case (nil, nil): return "Track \(number)"
        }
    }

    static func detail(_ track: MediaInfo.Track) -> String? {
        guard case .audio(_, let layout) = track.kind else { return track.codec }
        return "\(track.codec) \(layout)"
    }
}
