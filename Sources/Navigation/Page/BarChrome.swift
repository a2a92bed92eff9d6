import GlissadeGeometry
import GlissadeLayers

/// Manages and lays out the layers of a page's navigation bar and bottom view. The bar is above the page's content, and
/// the bottom view is above both.
@MainActor final class BarChrome {
    let bar = Layer()
    private let background = Layer()
    private let title = Layer()
    private var items: [any BarItem] = []
    private var shownBottom: Layer?

    static let titleStyle = TextStyle(size: 15, weight: .semibold, color: Color(red: 0.96, green: 0.96, blue: 0.97))
    static let itemSide = 36.0
    static let gap = 4.0
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
        show(model.leadingItems + model.trailingItems)
        let (side, top) = (Self.itemSide, (model.height - Self.itemSide) / 2)
        var left = Self.margin
        for item in model.leadingItems {
            item.layout(Rect(x: left, y: top, width: side, height: side))
            left += side + Self.gap
        }
        var right = size.width - Self.margin
        for item in model.trailingItems.reversed() {
            right -= side
            item.layout(Rect(x: right, y: top, width: side, height: side))
            right -= Self.gap
        }
        title.content = .text(TextContent(model.title, style: Self.titleStyle, truncation: .middle))
        let start = model.leadingItems.isEmpty ? Self.margin * 2 : left + Self.margin
        title.frame = Rect(
            x: start, y: 0, width: max(0, right - Self.margin - model.trailingSpace - start),
            height: model.height)
    }

    /// Adds the layers of the items in `wanted` to the bar, and removes the layers of all other items. The layer of an
    /// item that is already in the bar is not touched, because the item may be pressed.
    private func show(_ wanted: [any BarItem]) {
        for item in items where item.layer.superlayer === bar && !wanted.contains(where: { $0 === item }) {
            item.layer.removeFromSuperlayer()
        }
        for item in wanted where item.layer.superlayer !== bar { bar.add(item.layer) }
        items = wanted
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
