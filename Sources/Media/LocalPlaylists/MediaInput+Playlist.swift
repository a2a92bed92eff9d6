import GlissadeCFFmpeg
import GlissadePlatform

// Opening playlists in files.

extension MediaInput {
    /// Whether a file that has just been opened is a DASH manifest. Rewinds the file. Does not read from a pipe, which
    /// cannot be rewound.
    static func isManifest(_ file: UnsafeMutablePointer<AVIOContext>?) throws(PlaybackError) -> Bool {
        guard let file, file.pointee.seekable & AVIO_SEEKABLE_NORMAL != 0 else { return false }
        let (_, isManifest) = DASHManifest.readStart { count in
            [UInt8](unsafeUninitializedCapacity: count) { bytes, filled in
                filled = max(0, Int(avio_read(file, bytes.baseAddress, CInt(count))))
            }
        }
        try check(CInt(clamping: min(0, avio_seek(file, 0, SEEK_SET))))
        return isManifest
    }

    /// Opens the folder of the playlist at `path`.
    static func folder(ofPlaylistAt path: some Sequence<UInt8>) throws(PlaybackError) -> PlaylistFolder {
        do throws(ResourceFailure) {
            return try PlaylistFolder(ofPlaylistAt: BytePath(bytes: path))
        } catch {
            throw .cannotOpen(reason: error.description)
        }
    }
}
