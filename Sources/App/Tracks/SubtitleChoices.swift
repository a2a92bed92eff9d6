import GlissadeLibrary
import GlissadeMedia
import GlissadePlatform
import GlissadePlayback
import GlissadeSubtitles
import GlissadeTime

/// The subtitles available for a video, from its tracks and from subtitle files, and the current selection.
///
/// Main thread. Subtitle files beside the video are searched for on a background thread.
@MainActor final class SubtitleChoices {
    struct Choice: Hashable {
        enum Source: Hashable {
            /// A track of the file, by its index.
            case track(Int)
            /// A subtitle file, by its path, and the index of a track of it; nil for its best one.
            case file(String, track: Int? = nil)

            func isOf(_ file: String) -> Bool { if case .file(file, _) = self { true } else { false } }
        }

        var source: Source
        var name: String
        var detail: String?
    }

    /// The subtitles to show if neither the user nor the history has made a choice.
    struct Preference: Hashable {
        var isShown = true
        /// The preferred languages as ISO 639 codes, most preferred first. If empty, the file's default track is shown.
        var languages: [String] = []

        /// Returns the index in the file (`MediaInfo.Track.index`) of the track to show; nil to show none.
        func choice(among tracks: [MediaInfo.Track]) -> Int? {
            guard isShown else { return nil }
            if languages.isEmpty { return tracks.first { $0.isDefault }?.index }
            return TrackName.first(of: tracks, in: languages)?.index
        }
    }

    let subtitles: Subtitles
    private(set) var choices: [Choice] = []
    /// The index of the selected choice in `choices`; nil while subtitles are off.
    private(set) var selected: Int?
    /// The index of the choice that `toggle` selects to turn subtitles on again; nil if none was selected before.
    private var lastSelected: Int?
    private let foundFiles: Mailbox<[String]>
    /// Whether the search for subtitle files has been started.
    private var hasLooked = false
    /// Whether the file's tracks have been added.
    private var hasTracks = false
    /// The track of the selected file that the history has recorded, until the file's tracks are known.
    private var restoredTrack: Int?
    /// Whether the selected subtitle file is still being opened.
    private var awaitsFile = false
    /// Whether the user or the history has chosen subtitles, or has turned them off.
    private(set) var isChosen = false

    init(wake: @escaping @Sendable () -> Void, report: @escaping @Sendable (PlaybackProblem) -> Void) {
        foundFiles = Mailbox(wake: wake)
        subtitles = Subtitles(wake: wake, report: report)
    }

    var delay: Duration {
        get { subtitles.delay }
        set { subtitles.delay = newValue }
    }

    /// The source of the selected choice; nil while subtitles are off.
    var selectedSource: Choice.Source? { selected.map { choices[$0].source } }

    // MARK: - Choices

    /// Adds the video's tracks once the video is open, and the subtitle files found beside it. Selects the preferred
    /// subtitles if no subtitles are selected, and neither the user nor the history has made a choice.
    ///
    /// - Returns: Whether there are new choices.
    func advance(_ player: Player, preference: Preference, now: HostTime) -> Bool {
        guard player.info != nil else { return false }
        var isChanged = takeTracks(of: player)
        if isChanged, selected == nil, !isChosen, let index = preference.choice(among: player.subtitleTracks) {
            show(choices.firstIndex { $0.source == .track(index) }, of: player, now: now)
        }
        if !hasLooked {
            hasLooked = true
            findFiles(beside: player.location)
        }
        isChanged = takeFileTracks(preference, of: player, now: now) || isChanged
        let files = foundFiles.take() ?? []
        for file in files { isChanged = add(file) != nil || isChanged }
        // A subtitle file that is named after the video is presumably meant to be shown.
        if !files.isEmpty, selected == nil, !isChosen, preference.isShown,
            let first = choices.firstIndex(where: { $0.source.isOf(files[0]) })
        {
            show(first, of: player, now: now)
        }
        return isChanged
    }

    /// Inserts the video's tracks at the start of `choices`, once the tracks are known. Later calls do nothing. Returns
    /// whether tracks were added.
    private func takeTracks(of player: Player) -> Bool {
        guard !hasTracks, let info = player.info else { return false }
        hasTracks = true
        subtitles.mediaStart = info.startTime
        subtitles.frameRate = info.frameRate
        subtitles.filmMatrix = info.colorMatrix
        // A file of the command line may have been read before the frame rate was known, on which its times may depend.
        if case .file(let path, let track) = selectedSource, info.frameRate != nil, path.lowercased().hasSuffix(".sub")
        {
            subtitles.open(path, track: track)
        }
        let tracks = player.subtitleTracks.enumerated().map { number, track in
            Choice(
                source: .track(track.index), name: TrackName.text(track, number: number + 1),
                detail: TrackName.detail(track))
        }
        choices.insert(contentsOf: tracks, at: 0)
        selected = selected.map { $0 + tracks.count }
        lastSelected = lastSelected.map { $0 + tracks.count }
        return !tracks.isEmpty
    }

    /// If the selected file turns out to have several tracks, replaces its choice by one for each, and selects the one in
    /// the most preferred language. Returns whether there are new choices.
    private func takeFileTracks(_ preference: Preference, of player: Player, now: HostTime) -> Bool {
        guard awaitsFile, let selected, case .file(let file, nil) = choices[selected].source,
            subtitles.file == .ready
        else { return false }
        let (tracks, shown) = subtitles.fileTracks
        guard tracks.count > 1 else { return false }
        let name = choices[selected].name
        let new = tracks.enumerated().map { number, track in
            Choice(
                source: .file(file, track: track.index), name: TrackName.text(track, number: number + 1), detail: name)
        }
        choices.replaceSubrange(selected...selected, with: new)
        func place(of track: Int?) -> Int { selected + (tracks.firstIndex { $0.index == track } ?? 0) }
        lastSelected = lastSelected.map { $0 > selected ? $0 + tracks.count - 1 : $0 }
        self.selected = place(of: shown)
        let restored = restoredTrack.take().flatMap { index in tracks.first { $0.index == index } }
        if let wanted = (restored ?? TrackName.first(of: tracks, in: preference.languages))?.index, wanted != shown {
            show(place(of: wanted), of: player, now: now)
        }
        return true
    }

    /// Selects a subtitle file, and adds it to the choices if it is new.
    func open(_ file: String, of player: Player, now: HostTime) {
        restoredTrack = nil
        if let index = add(file) ?? choices.firstIndex(where: { $0.source.isOf(file) }) {
            select(index, of: player, now: now)
        }
    }

    private func add(_ file: String) -> Int? {
        guard !choices.contains(where: { $0.source.isOf(file) }) else { return nil }
        choices.append(Choice(source: .file(file), name: BytePath(location: file).displayName, detail: "File"))
        return choices.count - 1
    }

    // MARK: - Choosing

    /// The encoding of text that is not Unicode; nil if it is found out.
    var encoding: SubtitleEncoding? { subtitles.encoding }

    /// Sets the encoding of text that is not Unicode, and reads the selected subtitles again.
    func setEncoding(_ encoding: SubtitleEncoding?, of player: Player) {
        guard encoding != subtitles.encoding else { return }
        subtitles.encoding = encoding
        switch selectedSource {
        case .file(let path, let track):
            subtitles.open(path, track: track)
            awaitsFile = true
        case .track: player.attach(subtitles)
        case nil: break
        }
    }

    /// Selects the subtitles that the user has chosen.
    ///
    /// - Parameter choice: An index into `choices`; nil turns subtitles off.
    func select(_ choice: Int?, of player: Player, now: HostTime) {
        isChosen = true
        show(choice, of: player, now: now)
    }

    /// Selects the subtitles that the history has recorded for the file; nil turns subtitles off.
    func restore(_ source: Choice.Source?, of player: Player, now: HostTime) {
        isChosen = true
        _ = takeTracks(of: player)
        switch source {
        case .file(let path, let track):
            open(path, of: player, now: now)
            restoredTrack = track
        case .track, nil: show(choices.firstIndex { $0.source == source }, of: player, now: now)
        }
    }

    func toggle(of player: Player, now: HostTime) {
        select(selected == nil ? lastSelected ?? (choices.isEmpty ? nil : 0) : nil, of: player, now: now)
    }

    private func show(_ choice: Int?, of player: Player, now: HostTime) {
        if let selected { lastSelected = selected }
        selected = choice.flatMap { choices.indices.contains($0) ? $0 : nil }
        switch selectedSource {
        case .track(let index):
            subtitles.closeFile()
            player.selectSubtitleTrack(index)
        case .file(let path, let track):
            player.selectSubtitleTrack(nil)
            subtitles.open(path, track: track)
            awaitsFile = true
        case nil:
            subtitles.closeFile()
            player.selectSubtitleTrack(nil)
        }
    }

    /// Turns subtitles off if the selected subtitle file could not be opened, unless that may be due to the encoding that
    /// was chosen. Returns the file and the error on the first call after the failure, otherwise nil.
    func takeFailure(of player: Player, now: HostTime) -> (file: String, error: PlaybackError)? {
        guard awaitsFile, case .file(let path, _)? = selectedSource else { return nil }
        switch subtitles.file {
        case .loading: return nil
        case .none, .ready:
            awaitsFile = false
            return nil
        case .failed(let error):
            awaitsFile = false
            if encoding == nil { show(nil, of: player, now: now) }
            return (path, error)
        }
    }

    // MARK: - Subtitle files

    private func findFiles(beside location: String) {
        guard !isAddress(location) else { return }
        let path = LibraryFolder.absolute(location)
        NamedThread.detach(name: "subtitle files") { [foundFiles] in
            let files = Self.files(beside: path)
            if !files.isEmpty { foundFiles.put(files) }
        }
    }

    /// Returns the subtitle files in a video's folder that are named after the video, shortest path first, text
    /// before pictures. For `film.mkv`, these are `film.srt`, `film.de.srt` and so on.
    nonisolated static func files(beside film: BytePath) -> [String] {
        let stem = film.name.prefix(upTo: film.name.lastIndex(of: UInt8(ascii: ".")) ?? film.name.endIndex)
        guard !stem.isEmpty else { return [] }
        let paths = try? Folder(film.parent).paths { name in
            name.starts(with: stem) && name.dropFirst(stem.count).first == UInt8(ascii: ".")
        }
        func order(_ file: String) -> (Int, Int, String) {
            let isPictures = ["idx", "sup"].contains(file.suffix(3).lowercased())
            return (file.utf8.count, isPictures ? 1 : 0, file)
        }
        let files = (paths ?? []).map(\.location).filter(MediaArguments.isSubtitles)
            .sorted { order($0) < order($1) }
        // The pictures of VobSub are no choice of their own beside their index.
        let indices = Set(files.filter { $0.lowercased().hasSuffix(".idx") }.map { $0.dropLast(4) })
        return files.filter { !$0.lowercased().hasSuffix(".sub") || !indices.contains($0.dropLast(4)) }
    }
}
