import CFFmpeg
import Platform

// Opening playlists in files.

extension MediaInput {
    /// Whether a file that has just been opened is a DASH manifest. Rewinds the file. Does not read from a pipe, which
    /// cannot be rewound.
    static func isManifest(_ file: UnsafeMutablePointer<AVIOContext>?) throws(PlaybackError) -> Bool {
        guard let file, file.pointee.seekable & AVIO_SEEKABLE_NORMAL != 0 else { return false }
        let head = [UInt8](unsafeUninitializedCapacity: headSize) { bytes, filled in
            filled = max(0, Int(avio_read(file, bytes.baseAddress, CInt(bytes.count))))
        }
        try check(CInt(clamping: min(0, avio_seek(file, 0, SEEK_SET))))
        return DASHManifest.isManifest(head)
    }

    /// How much of a file to read to recognize a manifest, in bytes.
    private static let headSize = 2048

    /// Opens the folder of the playlist at `path`.
    static func folder(ofPlaylistAt path: some Sequence<UInt8>) throws(PlaybackError) -> PlaylistFolder {
        do throws(HTTPFailure) {
            return try PlaylistFolder(ofPlaylistAt: FilePath(bytes: path))
        } catch {
            throw .cannotOpen(reason: error.description)
        }
    }
}
