import Glibc
import Logging

/// Diagnostic logs for developers, written to standard error if `GLISSADE_LOG` is set. Messages for users go through
/// `Console`.
enum DiagnosticLog {
    /// The logger for failures of the renderer.
    static let drawing = Logger(label: "drawing")
    /// The logger for files of comments.
    static let comments = Logger(label: "comments")

    /// Starts logging if `GLISSADE_LOG` names a log level. Has no effect after the first call.
    static func begin() { _ = isBegun }

    private static let isBegun: Void = LoggingSystem.bootstrap { label in
        guard let level = getenv("GLISSADE_LOG").flatMap({ Logger.Level(rawValue: String(cString: $0)) }) else {
            return SwiftLogNoOpLogHandler()
        }
        var handler = StreamLogHandler.standardError(label: label)
        handler.logLevel = level
        return handler
    }

    /// A function that writes a line about a gesture's state change to standard error; nil unless `GLISSADE_LOG` is
    /// `gestures`.
    static var gestures: ((String) -> Void)? {
        guard let value = getenv("GLISSADE_LOG"), strcmp(value, "gestures") == 0 else { return nil }
        return { line in
            var text = "gestures: \(line)\n"
            text.withUTF8 { _ = write(STDERR_FILENO, $0.baseAddress, $0.count) }
        }
    }
}
