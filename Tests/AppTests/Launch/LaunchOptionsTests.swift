import GlissadeMedia
import GlissadeSettings
import Testing

@testable import GlissadeApp

/// What the command line and the settings together ask for.
@Suite("Launch options")
struct LaunchOptionsTests {
    @Test("The decoder is chosen by the command line, else by the settings, else software")
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

    @Test("The settings accept every decoder name that the command line accepts")
    func names() {
        #expect(KeyMap.vocabulary.decoders == HardwareDecoding.names)
        for name in HardwareDecoding.names {
            let text = "[playback]\nhwdec = \"\(name)\"\n"
            let (settings, mistakes) = SettingsReader.read(Array(text.utf8), file: "", vocabulary: KeyMap.vocabulary)
            #expect(mistakes.isEmpty && settings.playback.hardware == name)
        }
    }
}
