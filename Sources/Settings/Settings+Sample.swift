extension Settings {
    /// The text of a sample settings file, which sets every option to its default value. Generated from
    /// `SettingsOption`.
    package static let sample: String = {
        var text = """
            # Glissade's settings: ~/.config/glissade/config.toml
            #
            # Every option is listed with its default. Changes apply as soon as the file is saved, except to options that
            # matter only at the start. Errors are reported on the terminal, and the rest of the file still applies. The
            # format is TOML (https://toml.io).

            """
        for section in SettingsOption.sections where section != "gestures" && section != "keys" {
            text += "\n[\(section)]\n"
            for option in SettingsOption.all where option.section == section {
                text += comment(option.description) + "\(option.name) = \(option.defaultText)\n"
            }
        }
        text += "\n# Mouse and touchpad gestures on the video. Set one to false to disable it.\n[gestures]\n"
        let width = SettingsOption.gestures.map(\.name.count).max() ?? 0
        for (name, help) in SettingsOption.gestures {
            let space = String(repeating: " ", count: width - name.count)
            text += "\(name) = true\(space)   # \(help)\n"
        }
        return text + keys
    }()

    private static let keys = """

        # Key bindings that differ from the defaults. "none" removes a default.
        #
        # A key is the character it types, or SPACE, ESC, ENTER, BS, TAB, DEL, INS, LEFT, RIGHT, UP, DOWN, HOME, END,
        # PGUP, PGDWN, F1 to F35, PLUS, SHARP, PLAYPAUSE, PLAY, PAUSE, STOP, NEXT, PREV, VOLUME_UP, VOLUME_DOWN or MUTE,
        # optionally with the prefixes Ctrl+ Alt+ Shift+ Meta+. Put it in quotes:
        #
        #   "Ctrl+RIGHT" = "seek 10"
        #   "x" = "none"
        [keys]

        """

    /// Returns `text` wrapped into TOML comment lines of at most 120 characters.
    private static func comment(_ text: String) -> String {
        var lines = ["#"]
        for word in text.split(separator: " ") {
            if lines[lines.count - 1].count + 1 + word.count > 120 { lines.append("#") }
            lines[lines.count - 1] += " " + word
        }
        return lines.map { $0 + "\n" }.joined()
    }
}

extension SettingsOption {
    /// The help text, followed by the range if the option is a number.
    fileprivate var description: String {
        if case .number = kind { "\(help) \(values)." } else { help }
    }

    /// A description of the accepted values, for the sample file and the manual.
    private var values: String {
        switch kind {
        case .number(let range):
            "\(SettingsValue.number(range.lowerBound).toml) to \(SettingsValue.number(range.upperBound).toml)"
        case .flag: "true or false"
        case .choice(let choices): Self.alternatives(choices)
        case .encoding: #""auto" or a name"#
        case .decoder: #""no", "auto" or a device"#
        case .languages: "list of languages"
        case .texts: "list of strings"
        case .color: "#rrggbb"
        case .format: "a format"
        }
    }

    /// A Markdown table of all options and gestures, for the manual.
    static var markdownTable: String {
        let options = all.map { ($0.section, $0.name, $0.defaultText, $0.values, $0.help) }
        let switches = gestures.map { ("gestures", $0.name, "true", "true or false", $0.help) }
        let rows = (options + switches).map { section, name, standard, values, help in
            "| `\(section)` | `\(name)` | `\(standard)` | \(values) | \(help) |"
        }
        return (["| Section | Option | Default | Values | Description |", "|---|---|---|---|---|"] + rows)
            .map { $0 + "\n" }.joined()
    }
}
