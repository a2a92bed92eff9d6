import Glibc

/// The log of the gestures, which speaks where `GLISSADE_LOG` is `gestures`: a line for each change of a recognizer.
enum GestureLogging {
    static var sink: ((String) -> Void)? {
        guard let value = getenv("GLISSADE_LOG"), strcmp(value, "gestures") == 0 else { return nil }
        return { line in
            var text = "gestures: \(line)\n"
            text.withUTF8 { _ = write(STDERR_FILENO, $0.baseAddress, $0.count) }
        }
    }
}
