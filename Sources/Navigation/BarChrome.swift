import Controls
import Motion
import Stage

/// The layers of a page's bar, above its content, and of its bottom view, above both.
@MainActor final class BarChrome {
    let bar = Layer()
    private let background = Layer()
    private let title = Layer()
    private var buttons: [Button] = []
    private var shownBottom: Layer?

    static let titleStyle = TextStyle(size: 15, weight: .semibold, color: Color(red: 0.96, green: 0.96, blue: 0.97))
    static let iconColor = Color(red: 0.92, green: 0.92, blue: 0.94)
    static let buttonSide = 36.0
    static let margin = 8.0

    init() {
        bar.add(background)
        background.isHitTestable = false
        bar.add(title)
        title.isHitTestable = false
    }

    func layout(_ page: Page, size: Size) {
        layoutBottom(page, size: size)
        guard let model = page.bar, !model.isHidden else {
            bar.removeFromSuperlayer()
            return
        }
        if bar.superlayer !== page.captured { page.captured.add(bar) }
        bar.frame = Rect(x: 0, y: 0, width: size.width, height: model.height)
        let fade = max(0, model.fade)
        background.frame = Rect(x: 0, y: 0, width: size.width, height: model.height + fade)
        background.content =
            fade > 0
            ? .gradient(Gradient(from: model.background, to: Self.clear(model.background)))
            : .color(model.background)
        showButtons(model.leadingItems + model.trailingItems)
        let top = (model.height - Self.buttonSide) / 2
        var left = Self.margin
        for button in buttons.prefix(model.leadingItems.count) {
            button.layout(Rect(x: left, y: top, width: Self.buttonSide, height: Self.buttonSide))
            left += Self.buttonSide + 4
        }
        var right = size.width - Self.margin
        for button in buttons.dropFirst(model.leadingItems.count).reversed() {
            right -= Self.buttonSide
            button.layout(Rect(x: right, y: top, width: Self.buttonSide, height: Self.buttonSide))
            right -= 4
        }
        title.content = .text(TextContent(model.title, style: Self.titleStyle, truncation: .middle))
        let start = model.leadingItems.isEmpty ? Self.margin * 2 : left + Self.margin
        title.frame = Rect(x: start, y: 0, width: max(0, right - Self.margin - start), height: model.height)
    }

    /// The buttons stay where there are the same ones: the hand may be on one of them.
    private func showButtons(_ items: [NavigationBar.Item]) {
        if buttons.map(\.icon) != items.map(\.icon) {
            for button in buttons { button.layer.removeFromSuperlayer() }
            buttons = items.map { Button($0.icon, style: Button.Style(color: Self.iconColor)) }
            for button in buttons { bar.add(button.layer) }
        }
        for (button, item) in zip(buttons, items) { button.action = item.action }
    }

    private static func clear(_ color: Color) -> Color {
        Color(red: color.red, green: color.green, blue: color.blue, alpha: 0)
    }

    private func layoutBottom(_ page: Page, size: Size) {
        if let old = shownBottom, old !== page.bottomView?.layer { page.container.remove(old) }
        shownBottom = page.bottomView?.layer
        guard let view = page.bottomView else { return }
        if view.layer.superlayer !== page.container { page.container.add(view.layer) }
        view.layer.frame = Rect(x: 0, y: size.height - view.height, width: size.width, height: view.height)
        view.layout(Size(width: size.width, height: view.height))
    }
}
