import GlissadeGeometry
package import GlissadeMedia
import GlissadePicture
import GlissadePlatform
import GlissadeTime

/// A media file's properties as labeled lines for display.
package struct MediaDetails: Hashable, Sendable {
    /// One property and its value.
    package struct Line: Hashable, Sendable {
        /// The property's name, as shown to the user, such as "Codec".
        package var label: String
        /// The value with its unit, as shown to the user, such as "48000 Hz".
        package var value: String

        package init(_ label: String, _ value: String) {
            self.label = label
            self.value = value
        }
    }

    /// Related properties under a heading.
    package struct Section: Hashable, Sendable {
        /// The heading, such as "Video".
        package var title: String
        /// The properties, the most important ones first.
        package var lines: [Line]

        package init(title: String, lines: [Line]) {
            self.title = title
            self.lines = lines
        }
    }

    /// The sections: one for the file, one for each track (grouped by kind), and one for the chapters, if any. Unknown
    /// properties are omitted.
    package var sections: [Section]

    /// Lists the properties of a media file.
    ///
    /// - Parameter location: The path or URL that was opened.
    package init(_ info: MediaInfo, of location: String) {
        sections = [Self.file(info, location)]
        sections += Self.tracks(info, "Video") { if case .video(_, _, _, false) = $0 { true } else { false } }
        sections += Self.tracks(info, "Cover") { if case .video(_, _, _, true) = $0 { true } else { false } }
        sections += Self.tracks(info, "Audio") { if case .audio = $0 { true } else { false } }
        sections += Self.tracks(info, "Subtitles") { $0 == .subtitle }
        sections += Self.tracks(info, "Other") { if case .other = $0 { true } else { false } }
        if !info.chapters.isEmpty { sections.append(Self.chapters(info)) }
    }

    // MARK: - File

    private static func file(_ info: MediaInfo, _ location: String) -> Section {
        var lines = Lines()
        if location == StandardInput.location {
            lines.add("Name", StandardInput.shown(location))
        } else if isAddress(location) {
            lines.add("Address", location)
        } else {
            let path = BytePath(location: location)
            lines.add("Name", path.displayName)
            lines.add("Folder", path.parent.displayPath)
        }
        lines.add("Title", info.title)
        lines.add("Size", info.byteCount.map(MediaFormatter.size))
        lines.add("Container", info.container)
        lines.add("Length", info.duration.map(MediaFormatter.length))
        lines.add("Bit rate", info.bitRate.map(MediaFormatter.bitRate))
        if !info.isSeekable { lines.add("Seeking", "not possible") }
        return Section(title: "File", lines: lines.all)
    }

    // MARK: - Tracks

    /// Returns a section for each track whose kind `isOfKind` accepts. If there are several sections, their titles are
    /// numbered.
    private static func tracks(
        _ info: MediaInfo, _ title: String, _ isOfKind: (MediaInfo.Track.Kind) -> Bool
    ) -> [Section] {
        let tracks = info.tracks.filter { isOfKind($0.kind) }
        return tracks.enumerated().map { number, track in
            Section(title: tracks.count > 1 ? "\(title) \(number + 1)" : title, lines: lines(track))
        }
    }

    private static func lines(_ track: MediaInfo.Track) -> [Line] {
        var lines = Lines()
        lines.add("Title", track.title)
        if let language = track.language, language != "und" { lines.add("Language", language) }
        lines.add("Codec", track.codec)
        lines.add("Profile", track.profile)
        switch track.kind {
        case .video(let size, let geometry, let rate, let isStill):
            lines.add("Size", size.isEmpty ? "Unknown" : "\(size.width)×\(size.height)")
            if !size.isEmpty { lines.add("Aspect", aspect(geometry.displaySize(of: size))) }
            if geometry.pixelAspect != 1 { lines.add("Pixel aspect", MediaFormatter.number(geometry.pixelAspect)) }
            if !isStill { lines.add("Frame rate", rate.map { MediaFormatter.shortNumber($0) + " frames/s" }) }
            lines.add("Pixel format", track.sampleFormat)
            if geometry.isMirrored { lines.add("Mirrored", "left to right") }
            if geometry.rotation != .none { lines.add("Rotation", "\(geometry.rotation.rawValue * 90)° clockwise") }
        case .audio(let rate, let layout):
            lines.add("Sample rate", "\(rate) Hz")
            lines.add("Channels", layout)
            lines.add("Sample format", track.sampleFormat)
        case .subtitle: break
        case .other(let kind): lines.add("Kind", kind)
        }
        lines.add("Bit rate", track.bitRate.map(MediaFormatter.bitRate))
        return lines.all
    }

    /// The aspect ratios that have a common name, as width divided by height.
    private static let shapes: [(name: String, ratio: Double)] = [
        ("1:1", 1), ("5:4", 5 / 4), ("4:3", 4 / 3), ("3:2", 3 / 2), ("16:10", 16 / 10), ("16:9", 16 / 9), ("2:1", 2),
        ("21:9", 64 / 27), ("9:16", 9 / 16), ("3:4", 3 / 4), ("2:3", 2 / 3),
    ]
    /// The maximum relative deviation from a named aspect ratio at which its name is used.
    private static let shapeTolerance = 0.006

    private static func aspect(_ size: Size) -> String? {
        guard !size.isEmpty else { return nil }
        let ratio = size.width / size.height
        let named = shapes.first { abs($0.ratio - ratio) < $0.ratio * shapeTolerance }
        return named?.name ?? "\(MediaFormatter.number(ratio)):1"
    }

    // MARK: - Chapters

    private static func chapters(_ info: MediaInfo) -> Section {
        Section(
            title: "Chapters",
            lines: info.chapters.enumerated().map { number, chapter in
                Line(
                    MediaFormatter.length(chapter.start - info.startTime),
                    chapter.title.map(DisplaySafeText.text) ?? "Chapter \(number + 1)")
            })
    }

    private struct Lines {
        var all: [Line] = []

        mutating func add(_ label: String, _ value: String?) {
            if let value, !value.isEmpty { all.append(Line(label, DisplaySafeText.text(value))) }
        }
    }
}
