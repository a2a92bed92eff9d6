import Foundation
package import GlissadePicture

/// The `ffmpeg` command, which makes the tests' media and is an independent reference for pixels.
package enum FFmpeg {
    /// A run that failed.
    package struct Failure: Error {
        package let arguments: [String]
        /// What it printed.
        package let output: String
    }

    package static let isInstalled = (try? run(["-hide_banner", "-filters"])) != nil

    /// Runs `ffmpeg` to its end. Files that it writes replace others.
    package static func run(_ arguments: [String]) throws {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["ffmpeg", "-y", "-v", "error", "-nostdin"] + arguments
        let errors = Pipe()
        process.standardError = errors
        process.standardOutput = FileHandle.nullDevice
        try process.run()
        let output = errors.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else {
            throw Failure(arguments: arguments, output: String(decoding: output, as: UTF8.self))
        }
    }

    /// The bytes of the one file that `ffmpeg` writes with `arguments`, in the container that `ending` names.
    package static func bytes(_ arguments: [String], ending: String = "raw") throws -> [UInt8] {
        let path = FileManager.default.temporaryDirectory
            .appendingPathComponent("glissade-\(UUID().uuidString).\(ending)").path
        defer { try? FileManager.default.removeItem(atPath: path) }
        try run(arguments + [path])
        return [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
    }
}

extension FFmpeg {
    /// What the zscale filter calls the matrix, the range and the chroma siting of `format`.
    package static func zscaleNames(of format: PixelFormat) -> (matrix: String, range: String, siting: String) {
        let matrix =
            switch format.matrix {
            case .bt601: "170m"
            case .bt709: "709"
            case .bt2020: "2020_ncl"
            // Some have a number (H.273, table 4) but no name.
            case .identity: "0"
            case .fcc: "4"
            case .smpte240: "7"
            case .yCgCo: "8"
            case .derived: "12"
            }
        let siting =
            switch format.siting {
            case .left: "left"
            case .center: "center"
            case .topLeft: "topleft"
            }
        return (matrix, format.range == .full ? "full" : "limited", siting)
    }
}
