import Foundation
import GlissadePlatform
import Testing

@testable import GlissadeApp

@Suite("Files of what the program remembers") @MainActor struct StateFileTests {
    @Test("The last contents are in the file after finishing, in a folder that is made if it is missing")
    func contents() throws {
        let folder = NSTemporaryDirectory() + "glissade-state-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let file = StateFile("view", in: BytePath(folder + "/state/glissade"))
        #expect(file.read(atMost: 10) == nil)
        for number in 0..<20 { file.write(Array("\(number)".utf8)) }
        file.finish()
        #expect(file.read(atMost: 10) == Array("19".utf8))
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder + "/state/glissade") == ["view"])
    }

    @Test("Without a folder nothing is read or written")
    func nowhere() {
        let file = StateFile("view", in: nil)
        file.write([1])
        file.finish()
        #expect(file.read(atMost: 10) == nil)
    }
}
