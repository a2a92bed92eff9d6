import Foundation
import GlissadeMedia
import GlissadeTestSupport
import GlissadeTime
import Testing

@testable import GlissadeApp

@Suite("Problems of a file, told over it") @MainActor struct FilmProblemsTests {
    @Test("A film that was cut says so once there is a picture, and where it ends")
    func cut() throws {
        let scene = try Scene()
        let bytes = try Clips.bytes(Clips.grainyFilm("mkv"))
        let path = scene.path + "/cut.mkv"
        try bytes.prefix(bytes.count / 2).write(to: URL(fileURLWithPath: path))
        let program = try SteppedProgram.film(path, isPaused: false)
        try program.run("the message") { $0.told?.hasPrefix("The file is incomplete: it ends at 0:0") == true }
    }

    @Test("Each kind of problem is told once, after there is something to see, and damage not at all")
    func kinds() {
        let problems = FilmProblems(wake: {})
        #expect(problems.takeMessage(isSeen: true) == nil)
        for _ in 1...3 { problems.note(.noSoundServer(reason: "refused")) }
        problems.note(.damagedData(reason: "noise"))
        problems.note(.streamNotPlayable(kind: "audio", reason: "unknown codec"))
        problems.note(.endsEarly(at: .infinity, declared: nil))
        #expect(problems.takeMessage(isSeen: false) == nil)
        #expect(problems.takeMessage(isSeen: true) == "No sound: there is no sound server")
        #expect(problems.takeMessage(isSeen: true) == "Its audio cannot be played: unknown codec")
        #expect(problems.takeMessage(isSeen: true)?.hasPrefix("The file is incomplete") == true)
        #expect(problems.takeMessage(isSeen: true) == nil)
    }
}
