import Glibc
import GlissadeMedia

/// Turns the arguments of the command line, which are bytes, into text without losing any.
///
/// A file's name need not be valid UTF-8. `CommandLine.arguments` replaces what is not valid, after which the file could no
/// longer be found. Here, such a name becomes a `file:` URL, which stands for the same file wherever a file is expected.
package enum ArgumentText {
    /// The arguments of this process, without the program's name.
    package static var ofProcess: [String] {
        let arguments = (1..<max(1, Int(CommandLine.argc))).compactMap { index in
            CommandLine.unsafeArgv[index].map { argument in
                UnsafeBufferPointer(start: argument, count: strlen(argument)).map { UInt8(bitPattern: $0) }
            }
        }
        return texts(of: arguments)
    }

    /// Returns the arguments as text, each as it is if it is valid UTF-8.
    static func texts(of arguments: [[UInt8]]) -> [String] {
        var texts: [String] = []
        for argument in arguments { texts.append(text(of: argument, after: texts.last)) }
        return texts
    }

    private static func text(of argument: [UInt8], after previous: String?) -> String {
        if let text = String(validating: argument, as: UTF8.self) { return text }
        var value = argument[...]
        var head = ""
        // The value of `--option=value`, and of `--screenshot time=file`, begins after the sign.
        func cutHead() {
            guard let sign = value.firstIndex(of: UInt8(ascii: "=")) else { return }
            head += String(decoding: value[...sign], as: UTF8.self)
            value = value[(sign + 1)...]
        }
        if argument.starts(with: "--".utf8) { cutHead() }
        if head == "--screenshot=" || head.isEmpty && previous == "--screenshot" { cutHead() }
        return head + location(Array(value))
    }

    /// Returns a path as a `file:` URL. In a URL, percent-encodes the bytes that are not ASCII.
    private static func location(_ bytes: [UInt8]) -> String {
        let repaired = String(decoding: bytes, as: UTF8.self)
        guard isAddress(repaired) || FileAddress.path(of: repaired) != nil else {
            return BytePath(bytes: bytes).location
        }
        return bytes.reduce(into: "") { text, byte in
            if byte < 0x80 {
                text.unicodeScalars.append(Unicode.Scalar(byte))
            } else {
                text += "%" + String(byte, radix: 16, uppercase: true)
            }
        }
    }
}
