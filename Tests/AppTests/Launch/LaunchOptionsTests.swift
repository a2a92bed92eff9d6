import Media
import Settings
import Testing

@testable import App

/// What the command line and the settings together ask for.
@Suite("Launch options")
struct LaunchOptionsTests {
    @Test("What decodes is as the command line says, or else as the settings say, or else software")
    func hardware() {
        var settings = Settings()
        #expect(LaunchOptions().completed(by: settings).player.hardware == .off)
        settings.playback.hardware = "auto"
        #expect(LaunchOptions().completed(by: settings).player.hardware == .automatic)
        var options = LaunchOptions()
        options.hardware = .off
        #expect(options.completed(by: settings).player.hardware == .off)
        options.hardware = HardwareDecoding(name: "vaapi")
        #expect(options.completed(by: settings).player.hardware == HardwareDecoding(name: "vaapi"))
        settings.playback.hardware = "no such device"
        #expect(LaunchOptions().completed(by: settings).player.hardware == .off)
    }

    @Test("Every name that the command line takes, the settings take")
    func names() {
        #expect(KeyMap.vocabulary.decoders == HardwareDecoding.names)
        for name in HardwareDecoding.names {
            let text = "[playback]\nhwdec = \"\(name)\"\n"
            let (settings, mistakes) = SettingsReader.read(Array(text.utf8), file: "", vocabulary: KeyMap.vocabulary)
            #expect(mistakes.isEmpty && settings.playback.hardware == name)
        }
    }
}
