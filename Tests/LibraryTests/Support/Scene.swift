import Foundation
import Media
import Platform
import Synchronization
import Testing
import Time

@testable import Library

/// A folder that goes with the test.
final class Scene {
    let path: String
    var folder: FilePath { FilePath(path) }

    init() throws {
        silenceFFmpeg()
        path = NSTemporaryDirectory() + "glissade-library-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    @discardableResult func file(_ name: String, _ data: Data = Data("film".utf8)) throws -> FilePath {
        try data.write(to: URL(fileURLWithPath: "\(path)/\(name)"))
        return FilePath("\(path)/\(name)")
    }

    @discardableResult func file(_ name: [UInt8], _ data: Data = Data("film".utf8)) throws -> FilePath {
        let file = folder.appending(name)
        let descriptor = file.withCString { open($0, O_WRONLY | O_CREAT | O_EXCL, 0o600) }
        try #require(descriptor >= 0)
        data.withUnsafeBytes { _ = write(descriptor, $0.baseAddress, $0.count) }
        close(descriptor)
        return file
    }

    @discardableResult func subfolder(_ name: String) throws -> FilePath {
        try FileManager.default.createDirectory(atPath: "\(path)/\(name)", withIntermediateDirectories: true)
        return FilePath("\(path)/\(name)")
    }

    func remove(_ name: String) throws { try FileManager.default.removeItem(atPath: "\(path)/\(name)") }

    func names() throws -> [String] { try Folder(folder).entries().map(\.displayName) }
}
