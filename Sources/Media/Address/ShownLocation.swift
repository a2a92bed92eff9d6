/// What messages call locations.
public enum ShownLocation {
    /// Returns what a message on one line calls a path or an address. Standard input has its name. A path that is not
    /// valid UTF-8, as in a `file:` URL, is quoted as shells do it, so that it can be told from a name of these very
    /// letters, and pasted into a command. An empty one is `""`. Others are as they are. May read the file system.
    public static func text(_ location: String) -> String {
        if location.isEmpty { return "\"\"" }
        guard let path = FileAddress.path(of: location), String(validating: path, as: UTF8.self) == nil else {
            return StandardInput.shown(location)
        }
        return quoted(path)
    }

    /// Returns bytes in the form `$'…'` of POSIX.1-2024, 2.2.4, with all but valid, visible text as escapes.
    private static func quoted(_ path: [UInt8]) -> String {
        var text = "$'"
        var rest = path[...]
        // Whether the last escape would go on with a digit that follows.
        var isOpen = false
        while let first = rest.first {
            let count = [1, 2, 3, 4].first { String(validating: rest.prefix($0), as: UTF8.self) != nil }
            let scalar = count.flatMap { String(validating: rest.prefix($0), as: UTF8.self)?.unicodeScalars.first }
            if let scalar, let count, isVisible(scalar), !(isOpen && scalar.properties.isASCIIHexDigit) {
                if scalar == "'" || scalar == "\\" { text.unicodeScalars.append("\\") }
                text.unicodeScalars.append(scalar)
                rest.removeFirst(count)
                isOpen = false
            } else {
                text += (first < 16 ? "\\x0" : "\\x") + String(first, radix: 16)
                rest.removeFirst()
                // Some shells take more than two digits.
                isOpen = true
            }
        }
        return text + "'"
    }

    private static func isVisible(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .unassigned, .privateUse, .surrogate: false
        default: true
        }
    }
}
