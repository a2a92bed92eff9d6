import GlissadeGeometry
import GlissadeScreenProbe
import Testing
import GlissadeTime

extension EndToEnd {
    /// Fingers on a touch screen and a touchpad, as the X server reports them.
    @Suite(
        "Touch", .enabled(if: Glissade.hasDisplay, "no display"),
        .enabled(if: TouchServer.obstacle == nil, "\(TouchServer.obstacle ?? "")"))
    struct TouchTests {
        private let row = Double(PageHarness.height / 2)

        private func run(
            options: [String] = [], environment: [String: String?] = [:], film: String? = nil,
            _ body: (TouchDevice, PageHarness, TouchServer) throws -> Void
        ) throws -> WitnessTool.WatchResult {
            var result: WitnessTool.WatchResult?
            try TouchServer.run { server in
                result = try PageHarness.run(options: options, environment: environment, film: film) { harness in
                    try harness.waitForPage()
                    try body(server.screen, harness, server)
                }
            }
            return try #require(result)
        }

        /// Throws the page to the right with a finger.
        private func fling(_ finger: Int, _ screen: TouchDevice) throws {
            try screen.fling(finger, from: Point(x: 64, y: row), distance: 300, velocity: 3000)
        }

        @Test("A page lies where the finger holds it, to the pixel, and returns if released early")
        func drag() throws {
            let result = try run { screen, harness, _ in
                try screen.press(1, 100, row)
                var last = Point(x: 100, y: row)
                for distance in [40.0, 157, 83, 200] {
                    let next = Point(x: 100 + distance, y: row)
                    try screen.glide(1, from: last, to: next)
                    last = next
                    try harness.waitForPage(at: Int(distance)...Int(distance))
                }
                try screen.glide(1, from: last, to: Point(x: 150, y: row))
                try harness.waitForPage(at: 50...50)
                try screen.release(1)
                try harness.waitForPage()
            }
            result.expectUnbroken()
        }

        @Test("A finger flings the page away, and a tap on the mini player reopens it without repeating a frame")
        func fling() throws {
            let result = try run { screen, harness, _ in
                for finger in 1...2 {
                    try fling(finger, screen)
                    try harness.waitForBar()
                    _ = try harness.screen.waitForStillPicture(height: PageHarness.height - PageHarness.barHeight)
                    let bar = Double(PageHarness.height - PageHarness.barHeight / 2)
                    try screen.press(finger, Double(PageHarness.width) * 0.4, bar)
                    try screen.release(finger)
                    try harness.waitForPage()
                }
            }
            result.expectUnbroken()
        }

        @Test("The velocity of a finger at its release is that of its last 100 ms, by the server's times")
        func velocity() throws {
            _ = try run(environment: ["GLISSADE_LOG": "gestures"]) { screen, harness, _ in
                for (finger, velocity) in [(1, 3000.0), (2, 1500)] {
                    let count = ends(harness).count
                    let start = Point(x: 64, y: row)
                    let sent = try screen.fling(finger, from: start, distance: 300, velocity: velocity)
                    let seen = try Program.until("the end of the drag") {
                        let ends = ends(harness)
                        return ends.count > count ? ends.last : nil
                    }
                    #expect(sent.contains(seen), "a finger at \(velocity) pixels a second")
                    try harness.waitForBar()
                    _ = try harness.screen.waitForStillPicture(height: PageHarness.height - PageHarness.barHeight)
                    try harness.clickBar()
                    try harness.waitForPage()
                }
            }
        }

        /// The horizontal velocities with which drags of the page have ended, by the program's log.
        private func ends(_ harness: PageHarness) -> [Double] {
            harness.glissade.errors.split(separator: "\n").compactMap { line in
                guard line.contains(" pop: changed → ended at "), let end = line.range(of: " at ") else { return nil }
                return line[end.upperBound...].split(separator: ",").first.flatMap { Double($0) }
            }
        }

        @Test("If the touch screen is lost during a drag, the page returns; plugged in again, it works")
        func unplugged() throws {
            let result = try run { screen, harness, server in
                try screen.press(1, 100, row)
                try screen.glide(1, from: Point(x: 100, y: row), to: Point(x: 500, y: row))
                // Far enough to go back a page, if the finger were released.
                try harness.waitForPage(at: 400...400)
                try server.unplug()
                try harness.waitForPage()
                try fling(2, try server.plugIn())
                try harness.waitForBar()
            }
            result.expectUnbroken()
        }

        @Test("Ten more fingers during a drag, with numbers used again, change nothing")
        func manyFingers() throws {
            let result = try run { screen, harness, _ in
                try screen.press(1, 100, row)
                try screen.glide(1, from: Point(x: 100, y: row), to: Point(x: 260, y: row))
                try harness.waitForPage(at: 160...160)
                for _ in 1...3 {
                    for finger in 2...11 { try screen.press(finger, Double(40 * finger), 60) }
                    for finger in 2...11 { try screen.move(finger, Double(40 * finger), 300) }
                    for finger in 2...11 { try screen.release(finger) }
                }
                try harness.waitForPage(at: 160...160)
                try screen.release(1)
                try harness.waitForPage()
                try fling(1, screen)
                try harness.waitForBar()
            }
            result.expectUnbroken()
        }

        @Test("A finger held on the video plays it at double speed until it is lifted")
        func longPress() throws {
            let result = try run { screen, harness, _ in
                /// The frames that pass in a second, by their numbers.
                func pace() throws -> Double {
                    let begun = WitnessTool.changes(of: harness.witness).count
                    return try Program.until("a second of the film") {
                        let frames = WitnessTool.changes(of: harness.witness).dropFirst(begun).compactMap { change in
                            change.region == "page" ? Int(change.frame).map { ($0, change.time) } : nil
                        }
                        guard let first = frames.first, let last = frames.last, last.1 - first.1 >= .seconds(1) else {
                            return nil
                        }
                        return Double(last.0 - first.0) / (last.1 - first.1).inSeconds
                    }
                }
                // A busy machine shows frames late, so a second of the film may last longer or shorter: not each one.
                try Program.untilTrue("it plays") { try abs(pace() - 30) < 5 }
                try screen.press(1, 320, row)
                try Program.untilTrue("it plays at double speed") { try abs(pace() - 60) < 8 }
                try screen.release(1)
                try Program.untilTrue("it plays as before") { try abs(pace() - 30) < 5 }
                try harness.waitForPage()
            }
            result.expectUnbroken()
        }

        @Test("Spreading two fingers fills the window with the video, and pinching them fits it again")
        func pinch() throws {
            try TouchServer.run { server in
                let place = ["--size", "480x360", "--position", "0,0", "--no-controls", "--audio", "silent"]
                try Glissade.run(place + [try Clip.film.get()]) { glissade in
                    let window = try Screen(of: glissade)
                    let display = try XScreen()
                    // The film is white along its edges, and black bars lie above and below it where it is fitted.
                    func waitForEdge(_ what: String, _ isRight: (UInt8) -> Bool) throws {
                        try Program.untilTrue(what) {
                            display.grey(x: 100..<380, y: 4..<8)?.allSatisfy(isRight) ?? false
                        }
                    }
                    try window.waitForFrame("it plays") { $0 > 3 }
                    try waitForEdge("bars") { $0 < 24 }
                    func move(_ distances: some Sequence<Double>) throws {
                        var hasBegun = false
                        for distance in distances {
                            if !hasBegun {
                                try server.screen.press(1, 240 - distance, 180)
                                try server.screen.press(2, 240 + distance, 180)
                            }
                            hasBegun = true
                            try server.screen.move(1, 240 - distance, 180)
                            try server.screen.move(2, 240 + distance, 180)
                        }
                        for finger in 1...2 { try server.screen.release(finger) }
                    }
                    try move(stride(from: 40, through: 120, by: 8))
                    try waitForEdge("the window is filled") { $0 > 180 }
                    try move(stride(from: 120, through: 40, by: -8))
                    try waitForEdge("bars again") { $0 < 24 }
                    // On the touchpad.
                    display.movePointer(to: Point(x: 240, y: 180))
                    for (scale, isFilled) in [(2.0, true), (0.5, false)] {
                        try server.pad.pinch(.begin)
                        try server.pad.pinch(.update, scale: scale)
                        try server.pad.pinch(.end, scale: scale)
                        try waitForEdge("a touchpad's pinch") { isFilled ? $0 > 180 : $0 < 24 }
                    }
                    try window.press("q")
                    try glissade.expect(.exited(0))
                }
            }
        }

        @Test("A tap shows and hides the controls, and a finger on the progress bar seeks")
        func controls() throws {
            try TouchServer.run { server in
                try ControlsHarness.run { harness in
                    let screen = server.screen
                    func tap() throws {
                        try screen.press(1, ControlsHarness.aside.x, ControlsHarness.aside.y)
                        try screen.release(1)
                    }
                    try harness.waitForFrame("it plays") { $0 > 5 }
                    #expect(!harness.showsBar)
                    try tap()
                    try harness.waitUntil("the controls come") { harness.showsBar }
                    try tap()
                    try harness.waitUntil("the controls go") { !harness.showsBar }
                    try tap()
                    try harness.waitUntil("the controls come again") { harness.showsBar }
                    let row = Double(ControlsHarness.barRow)
                    let (start, end) = (ControlsHarness.place(of: 150), ControlsHarness.place(of: 600))
                    try screen.press(1, start, row)
                    try screen.glide(1, from: Point(x: start, y: row), to: Point(x: end, y: row))
                    try harness.waitUntil("the bar follows") {
                        harness.edge.map { abs(Double($0) - end) < 12 } ?? false
                    }
                    try screen.release(1)
                    try harness.waitForFrame("the frame under the finger") { (596..<700).contains($0) }
                }
            }
        }

        @Test("Two fingers that move down turn the volume down")
        func volume() throws {
            _ = try run { screen, _, _ in
                func volume() throws -> Double? {
                    let answer = try Program.tool(
                        "dbus-send", "--session", "--print-reply", "--dest=org.mpris.MediaPlayer2.glissade",
                        "/org/mpris/MediaPlayer2", "org.freedesktop.DBus.Properties.Get",
                        "string:org.mpris.MediaPlayer2.Player", "string:Volume")
                    return answer.split(whereSeparator: \.isWhitespace).last.flatMap { Double($0) }
                }
                let before = try #require(try volume())
                for finger in 1...2 { try screen.press(finger, 100 * Double(finger), 100) }
                for step in 1...10 {
                    for finger in 1...2 { try screen.move(finger, 100 * Double(finger), 100 + Double(step) * 10) }
                }
                try Program.untilTrue("the volume falls") { try volume().map { $0 < before - 0.1 } ?? false }
                for finger in 1...2 { try screen.release(finger) }
            }
        }

        @Test("A finger on the floating window moves it, to the pixel")
        func floating() throws {
            try TouchServer.run { server in
                try FloatingHarness.run { harness in
                    try harness.takeKeys()
                    let float = try harness.float()
                    var area = try float.waitForRest()
                    let start = Point(x: Double(area.x + 60), y: Double(area.y + 100))
                    try server.screen.press(1, start.x, start.y)
                    try server.screen.glide(1, from: start, to: Point(x: start.x - 500, y: start.y - 300))
                    area.x -= 500
                    area.y -= 300
                    try Program.untilTrue("the window at \(area)") { try float.area() == area }
                    try server.screen.release(1)
                    #expect(try float.waitForRest() == area)
                }
            }
        }

        @Test("A page follows two fingers on a touchpad to the pixel, and returns at the end of the scroll")
        func touchpad() throws {
            let result = try run { _, harness, server in
                try moveMouse(harness)
                // A notch is 120 units or 40 points. Parts of a notch make a touchpad.
                var distance = 0.0
                for (target, steps) in [(40.0, 9.0), (161, 7), (83, 5)] {
                    for _ in 0..<Int(steps) { try server.pad.scroll(-(target - distance) * 3 / steps, 0) }
                    distance = target
                    try waitForPage(harness, at: Int(target), on: server.pad)
                }
                try server.pad.scroll(0, 0)
                try harness.waitForPage()
                // More than a third of the width, at rest.
                for _ in 0..<12 { try server.pad.scroll(-62.5, 0) }
                try waitForPage(harness, at: 250, on: server.pad)
                try server.pad.scroll(0, 0)
                try harness.waitForBar()
            }
            result.expectUnbroken()
        }

        @Test("Without an end, a scroll on a touchpad ends by itself, and the page returns")
        func pause() throws {
            let result = try run { _, harness, server in
                try moveMouse(harness)
                for _ in 0..<12 { try server.pad.scroll(-12.5, 0) }
                try waitForPage(harness, at: 50, on: server.pad)
                try harness.waitForPage()
            }
            result.expectUnbroken()
        }

        @Test("A swipe with three fingers on a touchpad drags the page; a cancelled one lets it return")
        func swipe() throws {
            let result = try run { _, harness, server in
                try moveMouse(harness)
                for isCancelled in [true, false] {
                    try server.pad.swipe(.begin)
                    for _ in 0..<10 { try server.pad.swipe(.update, by: 30) }
                    try harness.waitForPage(at: 300...300)
                    try server.pad.swipe(.end, isCancelled: isCancelled)
                    if isCancelled { try harness.waitForPage() } else { try harness.waitForBar() }
                }
            }
            result.expectUnbroken()
        }

        /// Moves the mouse to the page, and waits until the program has seen it, for some frames.
        private func moveMouse(_ harness: PageHarness) throws {
            try XScreen().movePointer(to: Point(x: 100, y: row))
            try harness.waitForPage()
        }

        /// Waits until the page lies at `left`. Meanwhile, the fingers on the touchpad tremble by less than a pixel.
        private func waitForPage(_ harness: PageHarness, at left: Int, on pad: TouchDevice) throws {
            let begun = WitnessTool.changes(of: harness.witness).count
            try Program.untilTrue("the page at \(left)") {
                try pad.scroll(0.5, 0)
                try pad.scroll(-0.5, 0)
                let frames = WitnessTool.changes(of: harness.witness).dropFirst(begun).filter { Int($0.frame) != nil }
                return frames.count >= 5 && frames.suffix(5).allSatisfy { $0.region == "page" && $0.left == left }
            }
        }
    }
}
