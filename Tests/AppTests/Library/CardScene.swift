import Foundation
import GlissadeGeometry
import GlissadeLibrary
import GlissadeMedia
import GlissadePlayback
import GlissadeSettings
import GlissadeTime

@testable import GlissadeApp

/// A folder of videos as cards, of which a window of 640×480 shows about one at a time, or as a list.
@MainActor struct CardScene {
    let scene: Scene
    let program: SteppedProgram

    /// - Parameters:
    ///   - names: films of a minute; what begins with "broken" is none, and what ends in "/" a folder.
    ///   - film: what the films are; nil for black ones.
    ///   - settings: more lines of the settings' `[library]`.
    init(
        _ names: [String], film: String? = nil, view: String = "cards",
        size: PixelSize = PixelSize(width: 640, height: 480),
        settings: String = "", history: Bool = false, audio: PlayerOptions.Audio = .silent
    ) throws {
        scene = try Scene()
        try scene.addFolder("films")
        for name in names {
            if name.hasSuffix("/") {
                try scene.addFolder("films/" + name)
            } else if name.hasPrefix("broken") {
                _ = try scene.addNoise("films/" + name)
            } else {
                try scene.add(film ?? Films.plain(), as: "films/" + name)
            }
        }
        let file = try scene.write("[library]\nview = \"\(view)\"\n" + settings, to: "config.toml")
        program = try SteppedProgram(
            size: size, folder: scene.path + "/films", history: history ? scene.path + "/history.sqlite" : nil,
            settings: file, audio: audio)
    }

    var application: Application { program.application }
    var page: LibraryPage { application.stack.root as! LibraryPage }
    var playing: String? { application.playing.map { PlaybackSession.name(of: $0.location) } }

    func id(_ name: String) -> LibraryItem.ID { BytePath(scene.path + "/films/" + name) }
    func path(_ name: String) -> String { scene.path + "/films/" + name }

    /// Whether the film is seen in its card or row.
    func plays(_ name: String) -> Bool { playing == name && page.inlineRow(of: id(name))?.showsFilm == true }

    func awaitPlaying(_ name: String) throws { try program.run("\(name) in its card") { _ in plays(name) } }

    /// Opens a video, and goes back to the list: from then on it counts as played by the user.
    func openAndGoBack(_ name: String) throws {
        program.click(middle(of: name))
        try program.settle()
        program.press(.escape)
        try program.settle()
    }

    /// Lets it go on until the chosen view is written. A test that chooses one waits for that: the folder goes with the
    /// test.
    func awaitChoice(_ text: String) throws {
        try program.run("the file") { _ in
            (try? String(contentsOfFile: scene.path + "/state/library-view", encoding: .utf8)) == text
        }
    }

    /// Scrolls until the card or row of a film is so far below the bar, and lets the list rest there.
    func scroll(to name: String, by distance: Double = 0) throws {
        try program.run("its card") { _ in page.rows.row(of: id(name)) != nil && page.layer.frame.size.width > 0 }
        let row = page.rows.row(of: id(name)) ?? 0
        page.list.scroll(by: page.list.frame(of: row).minY - page.viewOfList.upper + distance, now: program.now)
        try program.run("that it rests") { _ in !page.list.isScrolling }
    }

    /// The middle of the picture of a card or row.
    func middle(of name: String) -> Point {
        let frame = page.filmPlace(of: path(name))?.frame ?? .zero
        return Point(x: frame.minX + frame.size.width / 2, y: frame.minY + frame.size.height / 2)
    }
}
