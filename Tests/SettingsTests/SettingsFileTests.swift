import Foundation
import GlissadePlatform
import Synchronization
import Testing
import GlissadeTestSupport
import GlissadeTime

@testable import GlissadeSettings

/// How the file is found, read, and watched.
@Suite("Settings file", .serialized) struct SettingsFileTests {
    /// A folder that goes with the test, and the settings in it.
    private final class Scene: Sendable {
        let folder: String
        var config: String { folder + "/glissade" }
        var file: String { config + "/config.toml" }
        private let signal = WakeSignal()
        let wakes = Mutex(0)

        init(hasConfig: Bool = true) throws {
            folder = NSTemporaryDirectory() + "glissade-settings-\(UUID().uuidString)"
            try FileManager.default.createDirectory(
                atPath: hasConfig ? folder + "/glissade" : folder, withIntermediateDirectories: true)
        }

        deinit { try? FileManager.default.removeItem(atPath: folder) }

        func write(_ text: String, to path: String? = nil) throws {
            try Data(text.utf8).write(to: URL(fileURLWithPath: path ?? file))
        }

        func open() -> SettingsFile {
            SettingsFile(path: BytePath(file), vocabulary: vocabulary) { [self] in
                wakes.withLock { $0 += 1 }
                signal.raise()
            }
        }

        /// Sleeps until news say this; what they were last where they never do.
        func news(_ settings: SettingsFile, where isSo: (SettingsUpdate) -> Bool) -> SettingsUpdate? {
            var (last, found): (SettingsUpdate?, SettingsUpdate?)
            _ = signal.wait {
                if let news = settings.takeUpdate() {
                    last = news
                    if isSo(news) { found = news }
                }
                return found != nil
            }
            if let found { return found }
            Issue.record("the news did not come; the last were \(String(describing: last))")
            return nil
        }

        func first(_ settings: SettingsFile) -> SettingsUpdate? {
            #expect(settings.waitForFirst(until: .now() + .seconds(30)))
            return settings.takeUpdate()
        }
    }

    @Test("A missing file gives the defaults without a message")
    func missing() throws {
        for hasConfig in [true, false] {
            let scene = try Scene(hasConfig: hasConfig)
            #expect(scene.first(scene.open()) == SettingsUpdate(settings: Settings(), mistakes: []))
        }
        let nowhere = SettingsFile(path: nil, vocabulary: vocabulary) {}
        #expect(nowhere.takeUpdate() == SettingsUpdate(settings: Settings(), mistakes: []))
        #expect(nowhere.takeUpdate() == nil)
    }

    @Test("A folder, a pipe, a device or a file that is too large is one mistake, and the defaults apply")
    func unreadable() throws {
        let scene = try Scene()
        func reason() -> String? {
            let news = scene.first(scene.open())
            #expect(news?.settings == Settings())
            #expect(news?.mistakes.count == 1)
            try? FileManager.default.removeItem(atPath: scene.file)
            return news?.mistakes.first?.description
        }
        try FileManager.default.createDirectory(atPath: scene.file, withIntermediateDirectories: true)
        #expect(reason() == "config.toml: is a folder")
        #expect(mkfifo(scene.file, 0o600) == 0)
        #expect(reason() == "config.toml: is not a regular file")
        #expect(symlink("/dev/zero", scene.file) == 0)
        #expect(reason() == "config.toml: is not a regular file")
        #expect(symlink("config.toml", scene.file) == 0)
        #expect(reason() == "config.toml: " + systemError(ELOOP))
        try scene.write("")
        #expect(truncate(scene.file, 100 << 20) == 0)
        #expect(reason() == "config.toml: is larger than 1 MiB")
        if geteuid() != 0 {
            try scene.write("")
            #expect(chmod(scene.file, 0) == 0)
            #expect(reason() == "config.toml: " + systemError(EACCES))
        }
    }

    @Test("A file of exactly 1 MiB is read")
    func largest() throws {
        let scene = try Scene()
        let text = "[playback]\nvolume = 5\n"
        try scene.write(text + String(repeating: "#", count: SettingsFile.largestFile - text.utf8.count))
        #expect(scene.first(scene.open())?.settings.playback.volume == 5)
    }

    @Test("Writing, replacing and deleting the file are reported as changes")
    func changes() throws {
        let scene = try Scene()
        try scene.write("[playback]\nvolume = 5\n")
        let settings = scene.open()
        #expect(scene.first(settings)?.settings.playback.volume == 5)
        try scene.write("[playback]\nvolume = 6\nspeed = x\n")
        #expect(scene.news(settings) { $0.settings.playback.volume == 6 }?.mistakes.count == 1)
        try scene.write("[playback]\nvolume = 7\n", to: scene.config + "/.config.toml.new")
        #expect(rename(scene.config + "/.config.toml.new", scene.file) == 0)
        #expect(scene.news(settings) { $0.settings.playback.volume == 7 }?.mistakes.isEmpty ?? false)
        try FileManager.default.removeItem(atPath: scene.file)
        #expect(scene.news(settings) { $0.settings == Settings() } != nil)
        settings.stop()
    }

    @Test("Of many changes in a row the last is reported, and a rewrite without changes is not")
    func rapid() throws {
        let scene = try Scene()
        let settings = scene.open()
        _ = scene.first(settings)
        for volume in 0...100 { try scene.write("[playback]\nvolume = \(volume % 101)\n# \(volume)\n") }
        try scene.write("[playback]\nvolume = 50\n")
        #expect(scene.news(settings) { $0.settings.playback.volume == 50 } != nil)
        try scene.write("# the same\n[playback]\nvolume = 50\n")
        try scene.write("x", to: scene.config + "/other.toml")
        try scene.write("[playback]\nvolume = 51\n")
        #expect(scene.news(settings) { _ in true }?.settings.playback.volume == 51)
    }

    @Test("A folder created later is noticed along with its file")
    func folderLater() throws {
        let scene = try Scene(hasConfig: false)
        let settings = scene.open()
        #expect(scene.first(settings)?.settings == Settings())
        try FileManager.default.createDirectory(atPath: scene.config, withIntermediateDirectories: true)
        try scene.write("[playback]\nvolume = 5\n")
        #expect(scene.news(settings) { $0.settings.playback.volume == 5 } != nil)
    }

    @Test("A link is followed, and changes of its target are noticed")
    func link() throws {
        let scene = try Scene()
        let elsewhere = scene.folder + "/dotfiles"
        try FileManager.default.createDirectory(atPath: elsewhere, withIntermediateDirectories: true)
        try scene.write("[playback]\nvolume = 5\n", to: elsewhere + "/player.toml")
        #expect(symlink("../dotfiles/player.toml", scene.file) == 0)
        let settings = scene.open()
        #expect(scene.first(settings)?.settings.playback.volume == 5)
        try scene.write("[playback]\nvolume = 6\n", to: elsewhere + "/player.toml")
        #expect(scene.news(settings) { $0.settings.playback.volume == 6 } != nil)
        // A file in the link's place.
        #expect(unlink(scene.file) == 0)
        try scene.write("[playback]\nvolume = 7\n")
        #expect(scene.news(settings) { $0.settings.playback.volume == 7 } != nil)
        settings.stop()
    }

    @Test("The main thread is woken once until it takes the update")
    func wakes() throws {
        let scene = try Scene()
        let settings = scene.open()
        #expect(settings.waitForFirst(until: .now() + .seconds(30)))
        try scene.write("[playback]\nvolume = 5\n")
        let other = SettingsFile(path: BytePath(scene.file), vocabulary: vocabulary) {}
        // Another one's news say that the change has been heard of by now, or will be with the same notice.
        #expect(other.waitForFirst(until: .now() + .seconds(30)))
        #expect(scene.news(settings) { $0.settings.playback.volume == 5 } != nil)
        #expect(scene.wakes.withLock { $0 } <= 2)
    }

    @Test("After stopping there are no more updates, and the threads end")
    func ending() throws {
        let scene = try Scene()
        // Other tests may have some of their own meanwhile, which end as well.
        func threads() throws -> Set<String> {
            Set(
                try FileManager.default.contentsOfDirectory(atPath: "/proc/self/task").filter { task in
                    (try? String(contentsOfFile: "/proc/self/task/\(task)/comm", encoding: .utf8)) == "settings\n"
                })
        }
        var seen: Set<String> = []
        for number in 0..<20 {
            let settings = scene.open()
            if number.isMultiple(of: 2) { _ = scene.first(settings) }
            seen.formUnion(try threads())
            if number.isMultiple(of: 3) { settings.stop() }
        }
        #expect(try eventually(within: .seconds(60)) { try threads().isDisjoint(with: seen) })
    }

    @Test("The settings path follows the XDG base directory specification")
    func standardPath() throws {
        let names: [String] = ["XDG_CONFIG_HOME", "HOME"]
        let before = names.map { ($0, getenv($0).map { String(cString: $0) }) }
        defer { for (name, value) in before { if let value { setenv(name, value, 1) } else { unsetenv(name) } } }
        setenv("HOME", "/home/x", 1)
        setenv("XDG_CONFIG_HOME", "/etc/x", 1)
        #expect(SettingsFile.standardPath == BytePath("/etc/x/glissade/config.toml"))
        for relative in ["", "x", "./x"] {
            setenv("XDG_CONFIG_HOME", relative, 1)
            #expect(SettingsFile.standardPath == BytePath("/home/x/.config/glissade/config.toml"))
        }
        unsetenv("XDG_CONFIG_HOME")
        unsetenv("HOME")
        #expect(SettingsFile.standardPath == nil)
    }
}
