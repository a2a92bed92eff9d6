import Foundation

/// A folder of its own for a test, with files in it; gone when the test is.
final class Scene {
    let path: String

    init() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("glissade-app-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        path = folder.path
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    func addFolder(_ name: String) throws {
        try FileManager.default.createDirectory(atPath: "\(path)/\(name)", withIntermediateDirectories: true)
    }

    /// A file that no player knows.
    func addNoise(_ name: String) throws -> String {
        try Data("no media".utf8).write(to: URL(fileURLWithPath: "\(path)/\(name)"))
        return "\(path)/\(name)"
    }

    /// Silence of so many seconds, as a WAV file.
    @discardableResult func addAudio(_ name: String, seconds: Double = 0.25) throws -> String {
        let rate: UInt32 = 8000
        let count = UInt32(seconds * Double(rate)) * 2
        var data = Data("RIFF".utf8)
        func add<N: FixedWidthInteger>(_ number: N) {
            withUnsafeBytes(of: number.littleEndian) { data.append(contentsOf: $0) }
        }
        add(36 + count)
        data.append(contentsOf: "WAVEfmt ".utf8)
        add(UInt32(16))
        add(UInt16(1))
        add(UInt16(1))
        add(rate)
        add(rate * 2)
        add(UInt16(2))
        add(UInt16(16))
        data.append(contentsOf: "data".utf8)
        add(count)
        data.append(Data(count: Int(count)))
        try data.write(to: URL(fileURLWithPath: "\(path)/\(name)"))
        return "\(path)/\(name)"
    }
}
