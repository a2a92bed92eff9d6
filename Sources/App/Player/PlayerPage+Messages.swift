import GlissadeControls
import GlissadeLayers
import GlissadeLibrary
import GlissadeSettings
import GlissadeTime

// Short messages over the video.

extension PlayerPage {
    /// The text of the visible message; nil if there is none.
    var told: String? { toast.message?.text }

    func tell(_ icon: Icon, _ text: String, now: HostTime) {
        tell(Toast.Message(kind: icon.rawValue, icon: icon, text: text), now: now)
    }

    /// Shows a message with a bar that represents a level, such as the volume.
    ///
    /// - Parameter level: The filled part of the bar, 0…1.
    func tellLevel(_ icon: Icon, _ text: String, level: Double, now: HostTime) {
        tell(Toast.Message(kind: "level", icon: icon, text: text, level: level), now: now)
    }

    /// Shows a message with the position after a seek. Does nothing while the controls are visible, since they show the
    /// position.
    ///
    /// - Parameters:
    ///   - length: The media's length; nil if unknown.
    ///   - isBack: Whether the seek went backward, which determines the icon.
    func tellPosition(_ position: Duration, of length: Duration?, isBack: Bool = false, now: HostTime) {
        if controls.isShown { return }
        let text = MediaFormatter.position(position, of: length)
        tell(
            isBack ? .rewind10 : .forward10, length.map { "\(text) / \(MediaFormatter.position($0, of: $0))" } ?? text,
            now: now)
    }

    /// Shows the lock button, and a message that the controls are locked.
    ///
    /// - Parameter key: The key that unlocks them; nil if there is none, or to name the lock button.
    func tellLocked(key: KeyChord?, now: HostTime) {
        _ = showControls(now: now)
        tell(.lock, key.map { "Locked: press \($0) to unlock" } ?? "Locked: click the lock to unlock", now: now)
    }

    private func tell(_ message: Toast.Message, now: HostTime) {
        toast.show(message, now: now)
    }
}
