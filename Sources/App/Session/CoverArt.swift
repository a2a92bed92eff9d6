import GlissadeGeometry
import Glibc
import GlissadeLibrary
import GlissadeMedia
import GlissadePicture
import GlissadePlatform

/// Finds the cover art of an audio file: the art in the file, else an image in its folder.
///
/// Main thread. The files are read on a background thread.
@MainActor final class CoverArt {
    /// The cover art that was found.
    struct Found: Sendable {
        /// The image in the file's folder; nil if the file has art of its own, which the player shows.
        var image: Bitmap?
        /// The path of an image file that the desktop can show; nil if there is none.
        var path: BytePath?
    }

    /// The names of images that are cover art, in order of preference.
    nonisolated static let names = ["cover", "folder", "front", "album", "albumart"]
    nonisolated static let extensions = ["jpg", "jpeg", "png", "webp"]
    /// The maximum size of an image file, in bytes.
    private nonisolated static let largestImage = 16 << 20
    private nonisolated static let size = PixelSize(width: 960, height: 960)

    /// The cover art; nil until it has been found, and if there is none.
    private(set) var found: Found?
    private let results: Mailbox<Found>
    private var hasLooked = false

    /// - Parameter wake: Wakes the frame loop. Called from any thread.
    init(wake: @escaping @Sendable () -> Void) { results = Mailbox(wake: wake) }

    /// Takes over the result of the search. Returns whether there is a new one.
    func advance() -> Bool {
        guard let result = results.take() else { return false }
        found = result
        return true
    }

    /// Starts the search, unless it has been started or `location` is an address.
    func look(for location: String) {
        guard !hasLooked else { return }
        hasLooked = true
        guard !isAddress(location) else { return }
        let path = LibraryFolder.absolute(location)
        NamedThread.detach(name: "cover art") { [results] in
            if let found = Self.find(for: path) { results.put(found) }
        }
    }

    /// Returns the cover art of the audio file at `path`. Blocks.
    nonisolated static func find(for path: BytePath) -> Found? {
        if let art = picture(in: path) {
            return Found(image: nil, path: exported(art))
        }
        for image in images(in: path.parent) {
            let bytes = (try? FileContents.read(image, atMost: largestImage)) ?? []
            if let picture = JPEG.decode(bytes, fitting: size) ?? picture(in: image) {
                return Found(image: picture, path: image)
            }
        }
        return nil
    }

    /// Returns the picture in a regular file; nil if there is none. Reading a pipe would take its data from the player.
    private nonisolated static func picture(in path: BytePath) -> Bitmap? {
        var status = stat()
        guard path.withCString({ stat($0, &status) }) == 0, status.st_mode & S_IFMT == S_IFREG,
            var source = try? ThumbnailSource(location: path.location, isInterrupted: { false })
        else { return nil }
        return source.picture(at: 0, fitting: size)
    }

    /// Returns the paths of the images in `folder` that are named like cover art, best first.
    nonisolated static func images(in folder: BytePath) -> [BytePath] {
        func rank(_ name: some Collection<UInt8>) -> Int? {
            let text = String(decoding: name, as: UTF8.self).lowercased()
            guard let dot = text.lastIndex(of: "."), extensions.contains(String(text[text.index(after: dot)...])) else {
                return nil
            }
            return names.firstIndex(of: String(text[..<dot]))
        }
        let paths = (try? Folder(folder).paths { rank($0) != nil }) ?? []
        return paths.sorted { (rank($0.name) ?? 0, $0.displayPath) < (rank($1.name) ?? 0, $1.displayPath) }
    }

    /// The maximum number of files with art for the desktop. If there are more, those of earlier songs are deleted.
    private nonisolated static let mostExported = 32

    /// Writes the art of an audio file to a file for the desktop, named after its contents. Returns nil if that fails.
    private nonisolated static func exported(_ art: Bitmap) -> BytePath? {
        guard let folder = XDGDirectory.cache.ofGlissade, let bytes = JPEG.encode(art) else { return nil }
        let covers = folder.appending("covers".utf8)
        AtomicFile.makeFolder(covers)
        // FNV-1a.
        let hash = bytes.reduce(UInt64(0xCBF2_9CE4_8422_2325)) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
        let path = covers.appending("\(String(hash, radix: 16)).jpg".utf8)
        let draft = covers.appending("\(getpid())-\(pthread_self()).part".utf8)
        guard AtomicFile.write(bytes, to: path, by: draft) else { return nil }
        let all = (try? Folder(covers).paths { $0.count > 4 }) ?? []
        for old in all.filter({ $0 != path }).dropFirst(mostExported) { _ = old.withCString { unlink($0) } }
        return path
    }
}
