import Foundation
import GlissadeMedia
import GlissadePlatform
import Synchronization
import Testing
import GlissadeTime

@testable import GlissadeLibrary

/// A folder that goes with the test.
final class Scene {
    let path: String
    var folder: BytePath { BytePath(path) }

    init() throws {
        silenceFFmpeg()
        path = NSTemporaryDirectory() + "glissade-library-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    @discardableResult func file(_ name: String, _ data: Data = Data("film".utf8)) throws -> BytePath {
        try data.write(to: URL(fileURLWithPath: "\(path)/\(name)"))
        return BytePath("\(path)/\(name)")
    }

    @discardableResult func file(_ name: [UInt8], _ data: Data = Data("film".utf8)) throws -> BytePath {
        let file = folder.appending(name)
        let descriptor = file.withCString { open($0, O_WRONLY | O_CREAT | O_EXCL, 0o600) }
        try #require(descriptor >= 0)
        data.withUnsafeBytes { _ = write(descriptor, $0.baseAddress, $0.count) }
        close(descriptor)
        return file
    }

    @discardableResult func subfolder(_ name: String) throws -> BytePath {
        try FileManager.default.createDirectory(atPath: "\(path)/\(name)", withIntermediateDirectories: true)
        return BytePath("\(path)/\(name)")
    }

    func remove(_ name: String) throws { try FileManager.default.removeItem(atPath: "\(path)/\(name)") }

    func names() throws -> [String] { try Folder(folder).entries().map(\.displayName) }
}
