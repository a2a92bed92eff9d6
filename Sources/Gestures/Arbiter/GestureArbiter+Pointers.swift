import GlissadeGeometry
import GlissadeInput

extension GestureArbiter {
    func handle(_ original: PointerEvent, path: (Point) -> [any GestureTarget]) -> Bool {
        var event = original
        event.time = now
        if !Self.isUsable(event.position) {
            // With unusable coordinates, only the end of a press counts.
            guard event.phase == .released || event.phase == .cancelled else { return false }
            event.position = lastPosition
        }
        lastPosition = event.position
        switch event.phase {
        case .pressed: return press(event, path: path)
        case .moved: return move(event)
        case .released: return release(event)
        case .cancelled: return cancel(event)
        // A pressed pointer belongs to the window whether it is inside or outside.
        case .entered, .left: return false
        }
    }

    static func isUsable(_ point: Point) -> Bool {
        abs(point.x) < largestCoordinate && abs(point.y) < largestCoordinate
    }

    // MARK: - Down

    private func press(_ event: PointerEvent, path: (Point) -> [any GestureTarget]) -> Bool {
        let button = event.button ?? .primary
        if pointers.isFull { cancelAll(now: now) }
        if let lost = pointers.remove(event.pointer, button) { lose(lost) }
        if scroll != nil { endScroll() }
        let isSecond = pointers.hasGesture
        var entry = PointerState.Entry(pointer: event.pointer, button: button, isInGesture: true, element: nil)
        if isSecond {
            pointers.add(entry)
            return showOther(event)
        }
        let elements = path(event.position)
        guard button == .primary else {
            entry.isInGesture = false
            entry.element = elements.first
            pointers.add(entry)
            elements.first?.receive(event)
            return !elements.isEmpty
        }
        settleLingering(before: event, on: elements)
        pointers.add(entry)
        tracked = (event.pointer, button)
        swap(&earlier, &current)
        sequence += 1
        current.begin(sequence: sequence, element: elements.first)
        join(elements, press: event, isScroll: false)
        deliver(event)
        return !elements.isEmpty
    }

    /// Ends a press that was canceled, or whose release was lost.
    private func lose(_ entry: PointerState.Entry) {
        if isTracked(entry.pointer, entry.button) {
            tracked = nil
            cancelGesture()
        }
        void(entry)
        finishIfUp()
    }

    /// Sends a cancel to the target, if any, that received the press of `entry` outside a gesture.
    func void(_ entry: PointerState.Entry) {
        entry.element?.receive(
            PointerEvent(
                phase: .cancelled, position: lastPosition, button: entry.button, time: now, pointer: entry.pointer))
    }

    /// Settles the recognizers that the previous press left undecided. Those whose gesture `press` can continue, such
    /// as a double tap, stay possible. The others fail, unless they have a pending request.
    private func settleLingering(before press: PointerEvent, on elements: [any GestureTarget]) {
        let all = members
        for member in all where member.recognizer.isDeciding && member.recognizer.request == nil {
            let recognizer = member.recognizer
            guard let element = recognizer.element, elements.contains(where: { $0 === element }),
                element.recognizers.contains(where: { $0 === recognizer }), recognizer.continues(with: press),
                recognizer.delegate?.shouldReceive(press, by: recognizer) != false
            else {
                recognizer.abort(at: now)
                continue
            }
        }
        resolve()
        sweep()
        // Events are kept for two presses only. A press before the previous one is therefore decided now.
        if earlier.phase == .holding { failLingering() }
    }

    /// Fails or cancels all recognizers in the gesture. Decides pending requests first, so that a tap can still be
    /// recognized.
    func failLingering() {
        let all = members
        for member in all where member.recognizer.request == nil { member.recognizer.abort(at: now) }
        resolve()
        for member in all where member.recognizer.arbiter === self { member.recognizer.abort(at: now) }
        resolve()
        sweep()
    }

    /// Adds the recognizers of `elements` that accept `press` to the gesture. Recognizers already in the gesture also
    /// take part in this press, unless they have a pending request.
    func join(_ elements: [any GestureTarget], press: PointerEvent, isScroll: Bool) {
        pressTime = now
        for index in members.indices where members[index].recognizer.request == nil { members[index].last = sequence }
        var isBlind = false
        for element in elements {
            for recognizer in element.recognizers {
                guard recognizer.isEnabled, recognizer.arbiter == nil, !isScroll || recognizer.followsScroll,
                    recognizer.delegate?.shouldReceive(press, by: recognizer) != false
                else { continue }
                // The recognizer's previous arbiter may have been deallocated during a gesture, without resetting the
                // recognizer.
                if recognizer.state != .possible { recognizer.makePossible() }
                recognizer.arbiter = self
                recognizer.element = element
                recognizer.isInGestureExclusion = isBlind
                recognizer.isDrivenNow = isScroll
                recognizer.isDrivenPrecisely = isScroll && scroll?.isPrecise == true
                members.append(Member(recognizer: recognizer, first: sequence, last: sequence))
            }
            isBlind = isBlind || element.excludesPagePan
        }
    }

    // MARK: - Moved and up

    private func move(_ event: PointerEvent) -> Bool {
        // A finger that moves the mouse no longer scrolls.
        if scroll?.isPrecise == true { endScroll() }
        if let tracked {
            if tracked.pointer != event.pointer { return showOther(event) }
            deliver(event)
            return true
        }
        guard let entry = pointers.entries.first(where: { $0.pointer == event.pointer && !$0.isInGesture }),
            let element = entry.element
        else { return false }
        element.receive(event)
        return true
    }

    private func release(_ event: PointerEvent) -> Bool {
        let button = event.button ?? .primary
        guard let entry = pointers.remove(event.pointer, button) else { return false }
        if isTracked(event.pointer, button) {
            tracked = nil
            deliver(event)
        } else if entry.isInGesture {
            showOther(event)
        }
        entry.element?.receive(event)
        finishIfUp()
        return true
    }

    private func cancel(_ event: PointerEvent) -> Bool {
        let held = pointers.entries
        var isKnown = false
        for entry in held where entry.pointer == event.pointer && entry.button == event.button ?? entry.button {
            guard pointers.remove(entry.pointer, entry.button) != nil else { continue }
            isKnown = true
            if entry.isInGesture, !isTracked(entry.pointer, entry.button) { showOther(event) }
            lose(entry)
        }
        return isKnown
    }

    private func isTracked(_ pointer: Int, _ button: PointerEvent.Button) -> Bool {
        tracked.map { $0.pointer == pointer && $0.button == button } ?? false
    }

    // MARK: - To the recognizers

    /// Passes `event` to the recognizers, adds it to the target's pending events unless a scroll is in progress, and
    /// then decides on the recognizers' requests.
    func deliver(_ event: PointerEvent) {
        dropGone()
        let all = members
        for member in all where member.last == sequence {
            let recognizer = member.recognizer
            guard recognizer.isDeciding || recognizer.isActive, recognizer.arbiter === self else { continue }
            recognizer.location = event.position
            recognizer.time = event.time
            switch event.phase {
            case .pressed: recognizer.pressed(event)
            case .released: recognizer.released(event)
            default: recognizer.moved(event)
            }
        }
        // Scrolls that no recognizer takes reach the targets as scroll events instead.
        if scroll == nil { current.add(event) }
        resolve()
    }

    /// Passes an event of a secondary pointer to the recognizers that follow secondary pointers. Other recognizers and
    /// targets never see a secondary pointer.
    ///
    /// - Returns: Whether such recognizers exist and `event` belongs to the gesture.
    @discardableResult private func showOther(_ event: PointerEvent) -> Bool {
        guard let tracked, tracked.pointer != event.pointer,
            members.contains(where: { $0.recognizer.followsOtherPointers }),
            event.phase != .moved || pointers.isInGesture(event.pointer)
        else { return false }
        dropGone()
        let all = members
        for member in all where member.last == sequence && member.recognizer.followsOtherPointers {
            let recognizer = member.recognizer
            guard recognizer.isDeciding || recognizer.isActive, recognizer.arbiter === self else { continue }
            recognizer.time = event.time
            recognizer.anotherPointer(event)
        }
        resolve()
        return true
    }

    /// Aborts the recognizers that were disabled or have lost their target.
    private func dropGone() {
        for index in members.indices {
            // A state-change callback may empty the list.
            guard index < members.count else { return }
            let recognizer = members[index].recognizer
            guard recognizer.isDeciding || recognizer.isActive, isGone(recognizer) else { continue }
            recognizer.abort(at: now)
        }
    }

    /// Whether `recognizer` was disabled or removed from its target, or its target was deallocated.
    func isGone(_ recognizer: GestureRecognizer) -> Bool {
        guard recognizer.isEnabled, let element = recognizer.element else { return true }
        return !element.recognizers.contains { $0 === recognizer }
    }
}
