import GlissadeAnimation
import GlissadeGeometry
import GlissadeLayers
import Testing
import GlissadeTime

@testable import GlissadeControls

@Suite("Toast") @MainActor struct ToastTests {
    private let toast = Toast()
    private let start = HostTime(nanoseconds: 1_000_000_000)
    private let half = Toast.Message(kind: "volume", icon: .volume, text: "50 %", level: 0.5)
    private let full = Toast.Message(kind: "volume", icon: .volume, text: "100 %", level: 1)
    private let speed = Toast.Message(kind: "speed", text: "1.5×")

    init() { toast.layout(top: Point(x: 400, y: 20), maxWidth: 700) }

    private func after(_ milliseconds: Int) -> HostTime { start + .milliseconds(milliseconds) }
    private var layers: (sign: Layer, label: Layer, track: Layer, level: Layer) {
        let layers = toast.layer.sublayers
        return (layers[0], layers[1], layers[2], layers[3])
    }

    @Test("A toast fades in within 120 ms, stays for 1.2 s, fades out, and needs only one wake-up in between")
    func life() {
        #expect(toast.layer.isHidden && !toast.isAnimating && toast.nextWake == nil)
        toast.show(half, now: start)
        #expect(toast.isAnimating && toast.layer.seen(at: start) == 0)
        #expect(toast.advance(to: after(60)))
        #expect(toast.advance(to: after(120)))
        #expect(!toast.isAnimating && toast.layer.seen(at: after(120)) == 1)
        #expect(!toast.advance(to: after(700)))
        #expect(toast.nextWake == after(1320))
        #expect(toast.advance(to: after(1320)))
        #expect(toast.isAnimating && toast.nextWake == nil)
        #expect(toast.advance(to: after(1440)))
        #expect(toast.layer.isHidden && toast.message == nil && !toast.isAnimating)
        #expect(!toast.advance(to: after(1441)) && toast.nextWake == nil)
    }

    @Test("A late frame shows a toast as it should be by then: still visible, or gone")
    func late() {
        toast.show(half, now: start)
        toast.advance(to: after(5000))
        #expect(!toast.layer.isHidden)
        toast.advance(to: after(5200))
        #expect(toast.layer.isHidden)
    }

    @Test("A newer message replaces a toast at once, without a fade, and stays for its own time")
    func newer() {
        toast.show(half, now: start)
        toast.advance(to: after(500))
        toast.show(speed, now: after(500))
        #expect(toast.layer.seen(at: after(500)) == 1 && !toast.isAnimating)
        #expect(layers.label.text == "1.5×" && layers.sign.content == .none && layers.level.isHidden)
        #expect(toast.nextWake == after(500 + 1320))
    }

    @Test("A message that arrives while a toast fades out fades it in again from its current look")
    func turnedBack() {
        toast.show(half, now: start)
        toast.advance(to: after(1320))
        let before = toast.layer.seen(at: after(1380))
        toast.show(full, now: after(1380))
        #expect(toast.layer.seen(at: after(1380)) == before && before > 0 && before < 1)
        toast.advance(to: after(1500))
        #expect(toast.layer.seen(at: after(1500)) == 1 && !toast.layer.isHidden && toast.message == full)
    }

    @Test("A message of the same kind keeps the toast's position and size and changes only its content")
    func sameKind() {
        toast.show(full, now: start)
        let frames = toast.layer.sublayers.prefix(3).map(\.frame)
        let frame = toast.layer.frame
        toast.show(half, now: after(300))
        #expect(toast.layer.frame == frame && toast.layer.sublayers.prefix(3).map(\.frame) == frames)
        #expect(layers.label.text == "50 %")
        #expect(layers.level.frame.size.width == 60 && layers.track.frame.size.width == 120)
        toast.show(speed, now: after(400))
        #expect(toast.layer.frame.size.width < frame.size.width)
    }

    @Test("A toast is centered at its upper edge, no wider than the room there is, and takes no input")
    func place() {
        toast.show(half, now: start)
        let frame = toast.layer.frame
        #expect(frame.minY == 20 && abs(frame.minX + frame.size.width / 2 - 400) <= 0.5)
        toast.layout(top: Point(x: 100, y: 5), maxWidth: 80)
        #expect(toast.layer.frame == Rect(x: 60, y: 5, width: 80, height: 44))
        #expect(toast.layer.hitTest(Point(x: 100, y: 20), at: LocalTime(after(200))) == nil)
    }

    @Test(
        "A level is a fraction of the toast's bar, whatever the number",
        arguments: [(0.25, 30.0), (-1, 0), (7, 120), (.nan, 0), (.infinity, 120)])
    func level(level: Double, width: Double) {
        toast.show(Toast.Message(kind: "k", text: "t", level: level), now: start)
        #expect(layers.level.frame.size.width == width)
    }

    @Test("A toast can be hidden early, and hiding it twice does nothing")
    func hide() {
        toast.hide(now: start)
        #expect(!toast.isAnimating)
        toast.show(half, now: start)
        toast.advance(to: after(200))
        toast.hide(now: after(200))
        toast.hide(now: after(260))
        toast.advance(to: after(320))
        #expect(toast.layer.isHidden)
    }

    @Test("Empty and very long texts and non-finite frames do not trap")
    func nonsense() {
        toast.show(Toast.Message(kind: "", text: ""), now: start)
        toast.show(Toast.Message(kind: "", text: String(repeating: "字", count: 10_000)), now: start)
        #expect(toast.layer.frame.size.width == 700)
        let frame = toast.layer.frame
        for value in [Double.nan, .infinity] {
            toast.layout(top: Point(x: value, y: value), maxWidth: value)
            #expect(toast.layer.frame == frame)
        }
        toast.layout(top: .zero, maxWidth: -5)
        #expect(toast.layer.frame.size.width == 0)
    }
}

@Suite("Label") @MainActor struct LabelTests {
    private let style = TextStyle(size: 13, color: .white, hasTabularDigits: true)

    @Test("A label shows its text in its style and alignment, and nothing without text")
    func content() {
        let label = Label("1:02", style: style, alignment: .trailing, truncation: .middle)
        #expect(
            label.layer.content
                == .text(TextContent("1:02", style: style, alignment: .trailing, truncation: .middle)))
        label.text = "1:03"
        #expect(label.layer.text == "1:03")
        label.style.size = 20
        #expect(
            label.layer.content
                == .text(TextContent("1:03", style: label.style, alignment: .trailing, truncation: .middle)))
        label.text = ""
        #expect(label.layer.content == .none)
    }

    @Test("Setting a label to the same text changes no layer")
    func unchanged() {
        let label = Label("1:02", style: style)
        label.layer.content = .none
        label.text = "1:02"
        label.style = style
        #expect(label.layer.content == .none)
    }

    @Test("Only a thousand of a text's million characters are laid out")
    func long() {
        let label = Label(String(repeating: "é", count: 1_000_000), style: style)
        #expect(label.layer.text?.count == 1000)
    }
}
