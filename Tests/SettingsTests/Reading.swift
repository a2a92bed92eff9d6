import GlissadeSettings

/// A program with a few commands.
let vocabulary = SettingsVocabulary(
    commands: ["pause", "seek", "volume"],
    gestures: [
        "click", "double-click", "double-click-left", "double-click-right", "pop-drag", "bound-drag", "dismiss-drag",
        "brightness-drag", "volume-drag", "long-press", "wheel", "horizontal-wheel", "pinch",
    ], decoders: ["auto", "no", "vaapi"], encodings: ["auto", "koi8-r"]
) { command in command == "seek" ? "seek: a number of seconds is missing" : nil }

func read(_ text: String) -> (settings: Settings, mistakes: [SettingsDiagnostic]) {
    SettingsReader.read(Array(text.utf8), file: "config.toml", vocabulary: vocabulary)
}
