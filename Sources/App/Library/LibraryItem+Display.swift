import GlissadeLayers
import GlissadeLibrary
import GlissadeMedia

// How the library displays an item.

extension LibraryItem {
    /// Returns the text below an item's name. For a folder, this is "Folder". For a file, it is the length and
    /// resolution, where known, and the file's size. If the file cannot be opened, the reason replaces the length and
    /// resolution.
    func detail(_ details: LibraryItemDetails?) -> String {
        if kind == .folder { return "Folder" }
        var parts: [String] = []
        if let failure = details?.failure {
            parts.append(failure)
        } else {
            if let duration = details?.summary?.duration { parts.append(MediaFormatter.length(duration)) }
            if let size = details?.summary?.displaySize, details?.summary?.hasVideo == true {
                parts.append("\(Int(size.width))×\(Int(size.height))")
            }
        }
        parts.append(MediaFormatter.size(byteCount))
        return parts.joined(separator: "  ·  ")
    }

    func icon(_ details: LibraryItemDetails?) -> Icon {
        if details?.failure != nil { return .broken }
        return switch kind {
        case .folder: .folder
        case .audio: .music
        case .image: .picture
        case .video: .film
        }
    }
}
