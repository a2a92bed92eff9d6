import Controls
import Layers
import Library
import Time

// Short messages over the video.

extension PlayerPage {
    /// The text of the visible message; nil if there is none.
    var told: String? { toast.message?.text }

    func tell(_ icon: Icon, _ text: String, now: HostTime) {
        tell(Toast.Message(kind: icon.rawValue, icon: icon, text: text), now: now)
    }

    /// Shows a message with a level.
    ///
    /// - Parameter level: The level, 0…1.
    func tellLevel(_ icon: Icon, _ text: String, level: Double, now: HostTime) {
        tell(Toast.Message(kind: "level", icon: icon, text: text, level: level), now: now)
    }

    /// Shows the new position, unless the controls already show it.
    func tellPosition(_ position: Duration, of length: Duration?, isBack: Bool = false, now: HostTime) {
        if controls.isShown { return }
        let text = MediaFormatter.position(position, of: length)
        tell(
            isBack ? .rewind10 : .forward10, length.map { "\(text) / \(MediaFormatter.position($0, of: $0))" } ?? text,
            now: now)
    }

    private func tell(_ message: Toast.Message, now: HostTime) {
        toast.show(message, now: now)
    }
}
