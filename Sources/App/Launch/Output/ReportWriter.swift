import FoundationEssentials
import GlissadeLibrary
import GlissadeMedia
import GlissadePlatform
import GlissadePresentation
import GlissadeTime

/// Writes reports to files, and prints an error on the console if that fails.
package enum ReportWriter {
    /// Writes the report and the frame log to the files that the options specify, if any. Returns false if a file could
    /// not be written.
    static func write(_ report: FrameReport, _ log: FrameLog, _ options: LaunchOptions, _ console: Console) -> Bool {
        var isWritten = true
        if let path = options.reportPath { isWritten = writeJSON(report, to: path, console) }
        if let path = options.frameLogPath {
            var text = "visible_ns,due_ns,pts_ns\n"
            for row in log.rows {
                text += "\(row.visible.nanoseconds),\(row.due.map { String($0.nanoseconds) } ?? ""),"
                text += "\(row.presentationTime.nanoseconds)\n"
            }
            isWritten = write(Array(text.utf8), to: path, console) && isWritten
        }
        return isWritten
    }

    /// Writes a report as JSON. Returns false if it could not be written.
    package static func writeJSON(_ report: some Encodable, to path: String, _ console: Console) -> Bool {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        do {
            return write([UInt8](try encoder.encode(report)) + [UInt8(ascii: "\n")], to: path, console)
        } catch {
            console.error("\(ShownLocation.text(path)): \(error)")
            return false
        }
    }

    private static func write(_ bytes: [UInt8], to path: String, _ console: Console) -> Bool {
        do throws(OutputFile.Failure) {
            try OutputFile.write(bytes, to: BytePath(location: path))
            return true
        } catch {
            console.error("\(ShownLocation.text(path)): \(error)")
            return false
        }
    }
}
