import GlissadeGeometry
import GlissadeLayers

/// The message that explains why a library page is empty. Main thread.
@MainActor final class FolderMessage {
    let layer = Layer()
    private let text = Layer()
    private let icon = Layer()

    init() {
        layer.isHitTestable = false
        for part in [text, icon] {
            part.isHitTestable = false
            layer.add(part)
        }
    }

    /// Centers the message in the part of a page that is not covered by bars. `top` and `bottom` are the covered
    /// heights at the page's upper and lower edges, in points.
    func layout(size: Size, top: Double, bottom: Double) {
        layer.frame = Rect(origin: .zero, size: size)
        let middle = (size.height + top - bottom) / 2
        icon.frame = Rect(x: size.width / 2 - 28, y: middle - 64, width: 56, height: 56)
        text.frame = Rect(x: Theme.margin, y: middle + 4, width: max(0, size.width - 2 * Theme.margin), height: 52)
    }

    /// Shows why the page is empty.
    ///
    /// - Parameter failure: Why the folder cannot be read; nil if the folder is empty.
    func show(failure: String?) {
        let message = failure.map { "Cannot read this folder: \($0)" } ?? "No videos or music in this folder"
        text.content = .text(TextContent(message, style: Theme.emptyTitle, alignment: .center, lineLimit: 2))
        icon.content = .icon(failure == nil ? .folder : .broken, Theme.posterIcon)
    }

    func hide() {
        text.content = .none
        icon.content = .none
    }
}
