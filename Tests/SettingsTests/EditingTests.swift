import Foundation
import GlissadePlatform
import Testing
import GlissadeTestSupport
import GlissadeTime

@testable import GlissadeSettings

@Suite("Setting an option in the settings file") struct EditingTests {
    private func edit(_ text: String, to value: String = "cards") -> String? {
        SettingsEdit.setting("view", in: "library", to: value, of: Array(text.utf8), vocabulary: vocabulary).map {
            String(decoding: $0, as: UTF8.self)
        }
    }

    @Test("An option is written into its section, over its old value or at the end, and nothing else changes")
    func places() {
        #expect(edit("") == "[library]\nview = \"cards\"\n")
        #expect(edit("[library]\nview = \"list\"\n") == "[library]\nview = \"cards\"\n")
        #expect(
            edit("[library]\n  view='list'   # mine\nnext = true")
                == "[library]\n  view = \"cards\"   # mine\nnext = true")
        #expect(edit("# a\n[library]\nnext = true\n") == "# a\n[library]\nview = \"cards\"\nnext = true\n")
        #expect(edit("[playback]\nvolume = 50\n") == "[playback]\nvolume = 50\n\n[library]\nview = \"cards\"\n")
        #expect(edit("[playback]\nvolume = 50") == "[playback]\nvolume = 50\n\n[library]\nview = \"cards\"\n")
        #expect(
            edit("[playback]\r\nvolume = 50\r\n")
                == "[playback]\r\nvolume = 50\r\n\r\n[library]\r\nview = \"cards\"\r\n")
        #expect(edit("[library]\r\nview = \"list\"\r\n") == "[library]\r\nview = \"cards\"\r\n")
    }

    @Test("An option replaces an invalid value of its own")
    func wrong() {
        #expect(edit("[library]\nview = 7\n") == "[library]\nview = \"cards\"\n")
        #expect(edit("[library]\nview = \"heap\" # ?\n") == "[library]\nview = \"cards\" # ?\n")
    }

    @Test(
        "An option that cannot be located safely is left alone",
        arguments: [
            "library = { view = \"list\" }\n", "library.view = \"list\"\n", "[library]\nview = \"\"\"\nlist\"\"\"\n",
            "[library]\nview = \"li\\\"st\"\n", "[library]\nview = [\n\"a\"]\n",
        ])
    func unclear(text: String) {
        #expect(edit(text) == nil || read(edit(text)!).0.library.view == .cards)
        if let edited = edit(text) { #expect(read(edited).1.count <= read(text).1.count) }
    }

    @Test("Editing the sample with its own values leaves it unchanged")
    func sample() throws {
        let edited = try #require(edit(Settings.sample))
        #expect(edited == Settings.sample.replacingOccurrences(of: "view = \"list\"", with: "view = \"cards\""))
        #expect(edit(edited, to: "list") == Settings.sample)
    }

    @Test("An invalid value, or one that would end its quotes, is not written")
    func values() {
        for value in ["heap", "", "a\"b", "a\\b", "a\nb"] { #expect(edit("", to: value) == nil) }
    }

    @Test("Editing a malformed file loses nothing of it")
    func noise() {
        for text in [
            "[[[", "\u{1}\u{2}", "= = =", "[library", "view = \"list\"\n[library]\nview = \"list\"\nview = \"list\"",
        ] {
            guard let edited = edit(text) else { continue }
            for word in text.split(whereSeparator: \.isNewline) where !word.hasPrefix("view") {
                #expect(edited.contains(word))
            }
        }
    }

    @Test("An option is written through a link with the file's permissions, and a missing file is created")
    func file() throws {
        let folder = NSTemporaryDirectory() + "glissade-settings-edit-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let target = folder + "/mine.toml"
        let link = folder + "/config.toml"
        try Data("[playback]\nvolume = 50\n".utf8).write(to: URL(fileURLWithPath: target))
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: target)
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: target)
        for path in [link, folder + "/new/glissade/config.toml"] {
            let file = SettingsFile(path: BytePath(path), vocabulary: vocabulary) {}
            #expect(file.waitForFirst(until: .now() + .seconds(30)))
            _ = file.takeUpdate()
            file.set("view", in: "library", to: "cards") { Issue.record("\($0)") }
            var text = ""
            #expect(
                eventually {
                    text = (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
                    return text.contains("cards")
                })
            #expect(read(text).0.library.view == .cards)
        }
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == target)
        #expect(try FileManager.default.attributesOfItem(atPath: target)[.posixPermissions] as? Int == 0o600)
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: folder).sorted() == ["config.toml", "mine.toml", "new"])
    }
}
