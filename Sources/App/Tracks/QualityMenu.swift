import GlissadeControls
import GlissadeMedia
import GlissadePlayback
import GlissadeTime

/// The section of the tracks menu that chooses a variant of a stream. Main thread.
@MainActor enum QualityMenu {
    /// The menu's entries; empty if the stream has no variants.
    static func entries(of player: Player) -> [Menu.Entry] {
        let variants = player.variants
        guard !variants.isEmpty else { return [] }
        let isAutomatic = player.quality == .automatic
        let current = player.currentVariant.map { label(variants[$0]) }
        var entries: [Menu.Entry] = [
            .title("Quality"),
            .item(
                Menu.Item(
                    id: "quality automatic", label: "Automatic", detail: isAutomatic ? current : nil,
                    isChecked: isAutomatic)),
        ]
        for (index, variant) in variants.enumerated() {
            entries.append(
                .item(
                    Menu.Item(
                        id: "quality \(index)", label: label(variant), detail: variant.bitRate.map(rate),
                        isChecked: player.quality == .variant(index))))
        }
        return entries + [.separator]
    }

    /// Chooses the variant at `index`, or the automatic choice if `index` is nil.
    static func pick(_ index: Int?, of player: Player, now: HostTime) {
        player.selectQuality(index.map { .variant($0) } ?? .automatic, now: now)
    }

    /// Returns a variant's height and frame rate, such as “720p, 50 fps”.
    static func label(_ variant: StreamVariant) -> String {
        let height = variant.height.map { "\($0)p" } ?? "Unknown size"
        guard let rate = variant.frameRate else { return height }
        let hundredths = Int((rate * 100).rounded())
        let digits = hundredths % 100
        let text = digits == 0 ? "\(hundredths / 100)" : "\(hundredths / 100).\(digits < 10 ? "0" : "")\(digits)"
        return "\(height), \(text) fps"
    }

    /// Returns a bit rate, such as “2.4 Mbit/s” or “180 kbit/s”.
    static func rate(_ bitRate: Int) -> String {
        guard bitRate >= 999_500 else { return "\((bitRate + 500) / 1000) kbit/s" }
        let tenths = (bitRate + 50_000) / 100_000
        return tenths < 100 && tenths % 10 != 0 ? "\(tenths / 10).\(tenths % 10) Mbit/s" : "\(tenths / 10) Mbit/s"
    }
}
