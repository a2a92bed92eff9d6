import GlissadePlatform
import Testing
import GlissadeTime

@testable import GlissadeApp

@Suite("Crash notice") @MainActor struct CrashNoticeTests {
    @Test("The notice is one line with the number of crashes, the first date and the path of the latest report")
    func text() {
        let names = ["20261119-235959-7", "20261123-100000-4711", "20261123-110000-4712"]
        let paths = names.map { BytePath("/s/\($0).txt") }
        #expect(CrashNotice.text([]) == nil)
        #expect(
            CrashNotice.text([paths[2]]) == "crashed the last time it ran; a report is in /s/20261123-110000-4712.txt")
        #expect(
            CrashNotice.text(paths)
                == "crashed 3 times since 2026-11-19; the latest report is in /s/20261123-110000-4712.txt")
        #expect(
            CrashNotice.text([BytePath("/s/1.txt"), paths[2]])
                == "crashed 2 times; the latest report is in /s/20261123-110000-4712.txt")
    }

    @Test("Over a video the notice is shown once, long enough to be read")
    func film() throws {
        let program = try SteppedProgram.film()
        program.application.crashNotice.notice = "crashed the last time it ran; a report is in /s/1.txt"
        program.pass(.milliseconds(10))
        #expect(program.told == "Glissade crashed the last time it ran; a report is in /s/1.txt")
        program.pass(.seconds(5))
        #expect(program.told != nil)
        program.pass(.seconds(4))
        try program.run("its end") { $0.told == nil }
        program.pass(.seconds(1))
        #expect(program.told == nil && program.application.crashNotice.notice == nil)
    }

    @Test("The notice waits until another message is gone")
    func waiting() throws {
        let program = try SteppedProgram.film()
        program.type("m")
        let first = try #require(program.told)
        program.application.crashNotice.notice = "crashed 2 times"
        program.pass(.milliseconds(500))
        #expect(program.told == first)
        program.pass(.seconds(2))
        try program.run("the notice") { $0.told == "Glissade crashed 2 times" }
    }

    @Test("In the library the notice is shown over the list and hides by itself")
    func library() throws {
        let scene = try Scene()
        let program = try SteppedProgram(folder: scene.path)
        program.application.crashNotice.notice = "crashed 2 times"
        try program.run("the notice") { $0.texts.contains("Glissade crashed 2 times") }
        program.pass(.seconds(9))
        try program.run("its end") { !$0.texts.contains { $0.hasPrefix("Glissade crashed") } }
    }
}
