import GlissadeTime

extension GestureArbiter {
    private enum Verdict { case go, wait, fail }
    private enum Rank: CaseIterable { case overAll, overSome, inOrder }

    /// Decides the pending requests. Then delivers the held events of each press whose recognizers have all decided.
    ///
    /// Callbacks may disable recognizers or cancel everything. Each step therefore rereads `members`.
    func resolve() {
        guard !isResolving else {
            mustResolveAgain = true
            return
        }
        isResolving = true
        repeat {
            mustResolveAgain = false
            while decideOne() {}
            settle(earlier)
            settle(current)
        } while mustResolveAgain
        isResolving = false
    }

    /// Decides one pending request. Returns false if none can be decided now.
    private func decideOne() -> Bool {
        guard members.contains(where: { Self.hasAsked($0) }) else { return false }
        let all = members
        for rank in Rank.allCases {
            for member in all where Self.hasAsked(member) && Self.rank(of: member, among: all) == rank {
                switch verdict(on: member, among: all) {
                case .wait: continue
                case .fail: member.recognizer.abort(at: now)
                case .go: commit(member, among: all)
                }
                return true
            }
        }
        // If all remaining recognizers wait for one another, the first wins.
        guard all.allSatisfy({ !$0.recognizer.isDeciding || $0.recognizer.request != nil }),
            let first = all.first(where: { Self.hasAsked($0) })
        else { return false }
        commit(first, among: all)
        return true
    }

    /// Returns the priority of `member`'s request. A request that would take the gesture from another requesting
    /// recognizer is decided first. The other recognizer then never begins.
    private static func rank(of member: Member, among all: [Member]) -> Rank {
        if member.recognizer.cancelsOthers { return .overAll }
        let isOverSome = all.contains {
            $0.recognizer !== member.recognizer && hasAsked($0) && $0.meets(member)
                && member.recognizer.cancels($0.recognizer)
        }
        return isOverSome ? .overSome : .inOrder
    }

    private static func hasAsked(_ member: Member) -> Bool {
        member.recognizer.isDeciding && member.recognizer.request != nil
    }

    private func verdict(on member: Member, among all: [Member]) -> Verdict {
        let recognizer = member.recognizer
        if !recognizer.wasAskedToBegin {
            recognizer.wasAskedToBegin = true
            guard recognizer.canBegin(), recognizer.delegate?.shouldBegin(recognizer) != false else { return .fail }
        }
        for other in all where other.recognizer !== recognizer && other.meets(member) {
            guard other.recognizer.hasWon, !canTake(recognizer, from: other.recognizer),
                other.recognizer.prevents(recognizer), !canLiveTogether(recognizer, other.recognizer)
            else { continue }
            return .fail
        }
        if recognizer.cancelsOthers { return .go }
        var verdict = Verdict.go
        for other in all where other.recognizer !== recognizer && other.meets(member) {
            guard other.recognizer.isDeciding || other.recognizer.hasWon,
                recognizer.requiresFailure(of: other.recognizer)
            else { continue }
            if other.recognizer.hasWon { return .fail }
            verdict = .wait
        }
        return verdict
    }

    /// Whether `other` is active and `recognizer` can take the gesture from it.
    private func canTake(_ recognizer: GestureRecognizer, from other: GestureRecognizer) -> Bool {
        other.isActive && !other.cancelsOthers && recognizer.cancels(other)
    }

    private func canLiveTogether(_ a: GestureRecognizer, _ b: GestureRecognizer) -> Bool {
        a.delegate?.shouldRecognizeSimultaneously(a, with: b) == true
            || b.delegate?.shouldRecognizeSimultaneously(b, with: a) == true
    }

    /// Lets the gesture of `member` begin, and cancels the recognizers from which `member` takes the gesture. All other
    /// recognizers keep deciding.
    private func commit(_ member: Member, among all: [Member]) {
        let recognizer = member.recognizer
        let others = all.filter { $0.recognizer !== recognizer && $0.meets(member) }.map(\.recognizer)
        recognizer.time = now
        for other in others
        where other.arbiter === self && recognizer.cancels(other) && !canLiveTogether(recognizer, other) {
            other.abort(at: now, as: .cancelled)
        }
        // A callback may have removed the recognizer.
        guard recognizer.arbiter === self, recognizer.isDeciding, let request = recognizer.request else { return }
        recognizer.request = nil
        if earlier.sequence >= member.first, earlier.sequence <= member.last { earlier.close(at: now) }
        if current.sequence >= member.first, current.sequence <= member.last { current.close(at: now) }
        recognizer.willBegin(among: others)
        recognizer.enter(request == .begin ? .began : .recognized)
        for other in others where other.arbiter === self && other.isDeciding { other.hasBegun(recognizer) }
        if recognizer.endsWhenBegun { recognizer.end() }
    }

    /// Delivers the events in `hold` if all recognizers of the press have decided.
    private func settle(_ hold: PendingEvents) {
        guard hold.phase == .holding else { return }
        for member in members where member.recognizer.isDeciding {
            if hold.sequence >= member.first && hold.sequence <= member.last { return }
        }
        hold.open()
    }

    // MARK: - The end of a gesture

    /// If all pointers are up, cancels the active recognizers and fails the possible ones. Possible recognizers with a
    /// pending request or a deadline are left alone.
    func finishIfUp() {
        guard !pointers.hasGesture else { return }
        let all = members
        for member in all where member.recognizer.arbiter === self {
            let recognizer = member.recognizer
            if recognizer.isActive || (recognizer.request == nil && recognizer.deadline == nil) {
                recognizer.abort(at: now)
            }
        }
        resolve()
        sweep()
    }

    /// If all pointers are up and no scroll is in progress, removes finished recognizers from the gesture and resets
    /// them.
    func sweep() {
        guard !isResolving, !pointers.hasGesture, scroll == nil else { return }
        var index = members.count - 1
        while index >= 0 {
            if index < members.count, !members[index].recognizer.isDeciding {
                members.remove(at: index).recognizer.makePossible()
            }
            index -= 1
        }
    }
}
