/// The kind of an item in a folder: a subfolder, or a kind of media as determined by the file extension alone.
package enum LibraryItemKind: Hashable, Sendable {
    case folder, video, audio, image

    /// The lowercase extensions of the files that a folder lists as media. A file that is opened by name is played
    /// regardless of its extension.
    private static let endings: [String: LibraryItemKind] = {
        let video =
            "3g2 3gp asf avi dv f4v flv gif h264 h265 hevc ivf m1v m2ts m2v m4v mkv mov mp4 mpeg mpg mts mxf nut ogm ogv "
            + "rm rmvb ts vob webm wmv y4m"
        let audio = "aac aif aiff alac flac m4a mka mp2 mp3 oga ogg opus wav wma"
        var kinds: [String: LibraryItemKind] = ["avif": .image]
        for ending in video.split(separator: " ") { kinds[String(ending)] = .video }
        for ending in audio.split(separator: " ") { kinds[String(ending)] = .audio }
        return kinds
    }()

    private static let longestEnding = endings.keys.map(\.utf8.count).max() ?? 0

    /// Creates the kind of media for a file name's extension, ignoring case; nil if the extension is unknown.
    package init?(fileName: some BidirectionalCollection<UInt8>) {
        guard let dot = fileName.lastIndex(of: UInt8(ascii: ".")) else { return nil }
        let ending = fileName[fileName.index(after: dot)...]
        guard !ending.isEmpty, ending.count <= Self.longestEnding,
            let kind = Self.endings[String(decoding: ending, as: UTF8.self).lowercased()]
        else { return nil }
        self = kind
    }
}
