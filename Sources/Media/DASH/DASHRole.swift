/// What an adaptation set is for (ISO/IEC 23009-1, 5.8.5.5).
enum DASHRole: String, Hashable, Sendable {
    case main, alternate, supplementary, commentary, dub, description, sign, caption, subtitle, karaoke, emergency
    case easyReader = "easyreader"
    case clearSpeech = "enhanced-audio-intelligibility"

    /// How an audio track with this role is named in addition to its language; nil if the role says nothing about it.
    var audioName: String? {
        switch self {
        case .alternate: "Alternate"
        case .supplementary: "Supplementary"
        case .commentary: "Commentary"
        case .dub: "Dubbed"
        case .description: "Audio description"
        case .karaoke: "Karaoke"
        case .emergency: "Emergency"
        case .easyReader: "Easy to understand"
        case .clearSpeech: "Clear speech"
        case .main, .sign, .caption, .subtitle: nil
        }
    }

    /// The roles from the one that says most about a track to the one that says least.
    private static let byMeaning: [DASHRole] = [
        .description, .commentary, .clearSpeech, .easyReader, .emergency, .karaoke, .dub, .supplementary, .alternate,
    ]

    /// Returns the name of an audio track with these roles in addition to its language; nil if there is none.
    static func audioName(of roles: Set<DASHRole>) -> String? { byMeaning.first(where: roles.contains)?.audioName }
}

extension DASHManifest.AdaptationSet {
    /// The roles of sets that are for some viewers, also together with `main`.
    private static let special: Set<DASHRole> = [.sign, .description, .commentary]

    /// Whether the set is for everyone: its role is `main`, or it has none.
    var isForEveryone: Bool { roles.isEmpty || Self.isMain(roles) }

    private static func isMain(_ roles: Set<DASHRole>) -> Bool {
        roles.contains(.main) && roles.isDisjoint(with: special)
    }

    /// Returns the place of the set to play if the user chooses nothing: the first one whose role is `main`, or else
    /// without a role, or else any. Nil if there are no sets.
    static func main(of roles: [Set<DASHRole>]) -> Int? {
        roles.firstIndex(where: isMain) ?? roles.firstIndex(where: \.isEmpty) ?? (roles.isEmpty ? nil : 0)
    }

    /// Whether the video of this set is that of `main` in another quality, and not another video, such as one with sign
    /// language or of another camera.
    func isQuality(of main: Self) -> Bool {
        guard isForEveryone, viewpoint == main.viewpoint else { return false }
        // Without a list (DASH-IF IOP, 3.8), the sets may be switched.
        guard let list = main.switchableSets else { return switchableSets.map { $0.contains(main.id) } ?? true }
        return list.contains(id)
    }
}
