import GlissadeGeometry
import GlissadeInput

extension GestureArbiter {
    /// The distance that a scroll must cover before it counts as vertical, in points.
    private static let directionTravel = PanRecognizer.defaultMinimumTravel

    func handle(_ event: ScrollEvent, path: (Point) -> [any GestureTarget]) -> Bool {
        guard Self.isUsable(event.position), event.deltaX.isFinite, event.deltaY.isFinite else { return false }
        // While a button is pressed, the gesture belongs to the pointer.
        guard !pointers.hasGesture else { return false }
        if let scroll, scroll.isPrecise != event.isPrecise { endScroll() }
        if event.isEnd {
            guard scroll != nil else { return false }
            endScroll()
            return true
        }
        if scroll == nil { beginScroll(event, path: path) }
        guard scroll != nil else { return false }
        scroll?.last = now
        scroll?.add(event, pointsPerNotch: Self.pointsPerNotch, limit: Self.largestCoordinate)
        switch scroll?.phase {
        case .elements:
            // Uses a copy, since a target may cancel the scroll.
            let sequence = scroll
            return sequence?.offer(event) == true
        case .pans:
            deliverScroll(.moved)
            return true
        case .deciding:
            scroll?.hold(event)
            return decideScroll()
        case .done, nil: return true
        }
    }

    private func beginScroll(_ event: ScrollEvent, path: (Point) -> [any GestureTarget]) {
        // A scroll between two clicks rules out a double click.
        failLingering()
        let elements = path(event.position)
        sequence += 1
        let begun = ScrollSequence(first: event, elements: elements, time: now)
        scroll = begun
        join(elements, press: begun.pointer(.pressed, at: now), isScroll: true)
        deliverScroll(.pressed)
        if hasWinner {
            scroll?.phase = .pans
        } else if members.isEmpty {
            scroll?.phase = .elements
        }
    }

    /// Chooses the receiver of a scroll. A horizontal scroll and a precise one are offered to pans before targets, and
    /// a wheel's vertical one to targets before pans.
    private func decideScroll() -> Bool {
        guard let sequence = scroll else { return false }
        if sequence.isHorizontal || sequence.isPrecise {
            deliverScroll(.moved)
        } else {
            guard PanRecognizer.length(sequence.offset) >= Self.directionTravel else { return true }
            if flushHeld() {
                abandonPans()
                return true
            }
            deliverScroll(.moved)
            if !hasWinner { abandonPans() }
        }
        if hasWinner {
            scroll?.held.removeAll()
            scroll?.phase = .pans
        } else if !members.contains(where: { $0.recognizer.isDeciding }) {
            scroll?.phase = .elements
            return flushHeld()
        }
        return true
    }

    private var hasWinner: Bool { members.contains { $0.recognizer.hasWon } }

    /// Offers the held scroll events to the targets. Returns whether a target used any.
    private func flushHeld() -> Bool {
        guard let sequence = scroll else { return false }
        scroll?.held.removeAll()
        var isTaken = false
        for event in sequence.held where sequence.offer(event) { isTaken = true }
        return isTaken
    }

    private func abandonPans() {
        let all = members
        for member in all where member.recognizer.arbiter === self { member.recognizer.abort(at: now) }
        scroll?.phase = .elements
    }

    private func deliverScroll(_ phase: PointerEvent.Phase) {
        guard let event = scroll?.pointer(phase, at: now) else { return }
        deliver(event)
    }

    /// Ends the scroll. Called after a pause, when the fingers are lifted, when the mouse moves after a precise scroll,
    /// or when a button is pressed.
    func endScroll() {
        guard let sequence = scroll else { return }
        if sequence.phase == .deciding || sequence.phase == .pans { deliverScroll(.released) }
        if sequence.phase == .deciding { _ = flushHeld() }
        scroll = nil
        finishIfUp()
    }
}
