import GlissadeAnimation
import GlissadeGeometry
import GlissadeLayers
import GlissadeTime

/// A layer tree like the interface's in the middle of a transition: stacked pages with rows of posters, titles and
/// icons. Each page covers most of the page below. All pages and rows can be animated.
struct Scene {
    let root: Layer
    private(set) var count = 0
    let size = Size(width: 1280, height: 720)
    /// The duration of all animations.
    static let length = Duration.seconds(1000)

    init(layers: Int, moving: Bool) {
        root = Layer(frame: Rect(origin: .zero, size: size), content: .color(.black))
        count = 1
        var page = 0
        while count < layers {
            addPage(page, until: layers, moving: moving)
            page += 1
        }
    }

    private mutating func addPage(_ index: Int, until limit: Int, moving: Bool) {
        let page = Layer(
            frame: Rect(origin: .zero, size: size), content: .color(Color(red: 0.1, green: 0.1, blue: 0.12)))
        page.shadow = Layer.Shadow(color: Color(red: 0, green: 0, blue: 0, alpha: 0.5), blur: 20)
        page.clipsToBounds = true
        page.translation = Point(x: Double(index) * 320, y: 0)
        if index == 0 { page.shade = 0.1 }
        root.add(page)
        count += 1
        if moving {
            page.animatedTranslation.animate(
                to: Point(x: Double(index) * 320 + 640, y: 0), now: .zero, duration: Self.length)
        }
        var row = 0
        while count < limit, row < 20 {
            addRow(row, to: page, moving: moving)
            row += 1
        }
    }

    /// Adds a row of seven layers: the row itself, a poster in a rounded box, the film's length, a title, a subtitle,
    /// an icon and a separator.
    private mutating func addRow(_ index: Int, to page: Layer, moving: Bool) {
        let row = Layer(
            frame: Rect(x: 24, y: 16 + Double(index) * 52, width: size.width - 48, height: 48),
            content: index % 3 == 0 ? .color(Color(red: 0.2, green: 0.2, blue: 0.25, alpha: 0.8)) : .none)
        row.cornerRadius = 8
        let box = Layer(frame: Rect(x: 4, y: 4, width: 71, height: 40), content: .image(ImageID(rawValue: index)))
        box.cornerRadius = 6
        let length = Layer(
            frame: Rect(x: 30, y: 24, width: 38, height: 14), content: text("1:02:0\(index % 10)", size: 10))
        box.add(length)
        row.add(box)
        let title = "A film of a rather long name that was never meant to fit into one row of any list, part \(index)"
        row.add(Layer(frame: Rect(x: 88, y: 4, width: 900, height: 20), content: text(title, size: 14)))
        row.add(
            Layer(
                frame: Rect(x: 88, y: 26, width: 900, height: 16), content: text("1920×1080, H.264, " + title, size: 11)
            ))
        row.add(Layer(frame: Rect(x: 1190, y: 12, width: 24, height: 24), content: .icon(.chevronRight, .white)))
        let rule = Gradient(from: Color(red: 1, green: 1, blue: 1, alpha: 0.2), to: .white, axis: .horizontal)
        row.add(Layer(frame: Rect(x: 88, y: 47, width: 1100, height: 1), content: .gradient(rule)))
        page.add(row)
        count += 7
        guard moving else { return }
        row.animatedOpacity.animate(to: 0.5, now: .zero, duration: Self.length)
        row.animatedTranslation.animate(to: Point(x: 0, y: -300), now: .zero, spring: Spring(response: 900))
        box.animatedScale.animate(to: 1.1, now: .zero, duration: Self.length, curve: .easeInOut)
    }

    private func text(_ string: String, size: Double) -> Layer.Content {
        .text(TextContent(string, style: TextStyle(size: size, color: .white)))
    }
}
