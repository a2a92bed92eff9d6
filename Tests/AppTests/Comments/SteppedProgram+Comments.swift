import GlissadeControls
import GlissadeDanmaku
import GlissadeGeometry
import GlissadeLayers
import Testing
import GlissadeTime

@testable import GlissadeApp

extension SteppedProgram {
    /// The comments on the screen: their texts and frames, in pixels.
    var comments: [(text: String, frame: Rect)] {
        list.items.compactMap { item in
            guard case .image(let placement) = item, case .text(let text) = placement.source, text.style.outline != nil
            else { return nil }
            let frame = placement.destination
            return (
                text.string,
                Rect(
                    x: Double(frame.minX), y: Double(frame.minY), width: Double(frame.width),
                    height: Double(frame.height))
            )
        }
    }

    /// The left edge of the film on the screen, in pixels; nil if it is not visible.
    var filmEdge: Double? {
        for case .surface(let placement) in list.items where placement.surface == PlaybackSession.surface {
            return Double(placement.destination.minX)
        }
        return nil
    }

    func frame(ofComment text: String) -> Rect? { comments.first { $0.text == text }?.frame }

    /// The middle of a comment on the screen.
    func middle(ofComment text: String) throws -> Point {
        guard let frame = frame(ofComment: text) else {
            throw Failure(description: "“\(text)” is not to be seen, but \(comments)")
        }
        return Point(x: frame.minX + frame.size.width / 2, y: frame.minY + frame.size.height / 2)
    }
}

extension Films {
    /// A file of comments, most of them from 2 s on.
    static let comments = """
        <i><d p="2,1,25,16777215,0,0,ann,1">leftward</d><d p="2,6,25,16777215,0,0,bob,2">rightward</d>
        <d p="2,5,25,16777215,0,0,bob,3">top</d><d p="2,4,25,16777215,0,0,ann,4">bottom</d>
        <d p="2,7,25,0,0,0,ann,5">positioned</d><d p="30,1,25,16777215,0,0,ann,6">later</d></i>
        """
}

extension SteppedProgram {
    /// Plays a film of 320×240 at 20 frames a second, shown at 640×480, with `comments` beside it.
    static func film(
        commentsIn scene: Scene, comments: String? = Films.comments, isPaused: Bool = true, settings: String? = nil
    ) throws -> SteppedProgram {
        let film = try scene.add(Films.plain(), as: "film.mp4")
        if let comments { try scene.write(comments, to: "film.xml") }
        let path = try settings.map { try scene.write("[danmaku]\n\($0)\n", to: "config.toml") }
        let program = try SteppedProgram.film(film, isPaused: isPaused, settings: path)
        if comments != nil {
            try program.run("the comments") { $0.application.playing?.comments.comments.isEmpty == false }
        }
        return program
    }

    func go(to seconds: Double) throws {
        try player.seek(to: .seconds(seconds), now: now)
        try run("the picture there") { $0.shown.map { abs($0.inSeconds - seconds) < 0.06 } == true }
        draw()
    }

    /// Goes to `seconds`, and waits until the comment `text` is on the screen.
    func go(to seconds: Double, showing text: String) throws {
        try go(to: seconds)
        try waitForComment(text)
    }

    func waitForComment(_ text: String) throws {
        try run("the comment") {
            $0.draw()
            return $0.frame(ofComment: text) != nil
        }
        // They fade in.
        pass(.milliseconds(400))
    }

    func waitUntilGone(comment text: String) throws {
        try run("no comment") {
            $0.draw()
            return $0.frame(ofComment: text) == nil
        }
    }
}
