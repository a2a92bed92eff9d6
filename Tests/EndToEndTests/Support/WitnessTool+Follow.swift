import Foundation
import Glibc
import Testing
import GlissadeScreenProbe

extension WitnessTool {
    /// What a witness that follows a marked film over the screen has told.
    struct Follower {
        let witness: Program

        struct Place: Hashable {
            var frame: Int
            var left: Int
            var right: Int
            var top: Int
            var bottom: Int
            var width: Int { right - left }

            /// Whether it lies over all of a screen so wide. The witness tells edges from where the marks' hue ends, which
            /// has half the resolution: enlarged three times, that is a column or two off.
            func covers(_ screenWidth: Int) -> Bool { abs(left) <= 3 && abs(right - screenWidth) <= 3 }
        }

        var places: [Place] {
            witness.output.split(separator: "\n").dropFirst().compactMap { line in
                let words = line.split(separator: ",", omittingEmptySubsequences: false).map { Int($0) }
                guard words.count == 8, let frame = words[1], let left = words[2], let right = words[3],
                    let top = words[4], let bottom = words[5]
                else { return nil }
                return Place(frame: frame, left: left, right: right, top: top, bottom: bottom)
            }
        }

        /// Waits for several frames in a row, from now on, each at a place that `isRight`; gives the last.
        @discardableResult func waitForFrames(_ what: String, _ isRight: (Place) -> Bool) throws -> Place {
            let begun = places.count
            return try Program.until(what) {
                let last = places.dropFirst(begun).suffix(5)
                return last.count == 5 && last.allSatisfy(isRight) && Set(last.map(\.frame)).count >= 3
                    ? last.last : nil
            }
        }
    }

    /// What a witness that followed a film has told of all of it.
    struct FollowResult {
        let observed: FilmObserver.Result
        /// How often nothing of the film was to be seen between two of its frames: not before it came, and not at the end.
        let blackCount: Int
        /// For how long nothing of it was to be seen, at most, between two of its frames.
        let longestBlack: Duration
        /// What the witness told of each of them, and of what was seen before and after.
        let aroundBlack: [Substring]
        /// What it told of each step back of the film, and of what was seen before and after.
        let aroundBackwards: [Substring]

        init(_ observed: FilmObserver.Result, lines: [Substring]) {
            self.observed = observed
            let sights = lines.compactMap { line -> (time: Int64, what: Substring)? in
                let words = line.split(separator: ",", omittingEmptySubsequences: false)
                guard words.count == 8, let time = Int64(words[0]) else { return nil }
                return (time, words[1])
            }
            let isSeen = sights.map { $0.what != "black" }
            // A film is seen in one frame after the other; its poster, which has a frame of it too, alone.
            let begins = isSeen.indices.dropLast().first { isSeen[$0] && isSeen[$0 + 1] }
            let between = begins.flatMap { first in isSeen.lastIndex(of: true).map { first...$0 } }
            blackCount = between.map { isSeen[$0].count { !$0 } } ?? 0
            var (longest, begin) = (Int64(0), Int64?.none)
            for index in between.map(Array.init) ?? [] {
                if isSeen[index] {
                    if let begin { longest = max(longest, sights[index].time - begin) }
                    begin = nil
                } else if begin == nil {
                    begin = sights[index].time
                }
            }
            longestBlack = .nanoseconds(longest)
            var steps: [Substring] = []
            var last: Int?
            for (index, sight) in sights.enumerated() {
                guard let frame = Int(sight.what) else { continue }
                if let last, frame < last { steps += lines[max(0, index - 3)...min(lines.count - 1, index + 2)] }
                last = frame
            }
            aroundBackwards = steps
            aroundBlack =
                between.map { range in
                    range.filter { !isSeen[$0] }.flatMap { lines[max(0, $0 - 1)...min(lines.count - 1, $0 + 1)] }
                } ?? []
        }
    }

    /// Follows a film of `length` frames over the whole screen for as long as `body` runs.
    static func follow(length: Int, _ body: (Follower) throws -> Void) throws -> FollowResult {
        try TemporaryFolder.with { folder in
            let summary = folder + "/summary.json"
            let arguments = [try tool(), "follow", "--length", "\(length)", "--summary", summary]
            return try Program.run(arguments) { witness in
                try Program.untilTrue("the witness watches") {
                    if witness.hasEnded { throw Program.Failure(description: "witness: \(witness.errors)") }
                    return witness.output.contains("\n")
                }
                try body(Follower(witness: witness))
                witness.send(SIGTERM)
                try witness.expect(.exited(0))
                let data = try Data(contentsOf: URL(fileURLWithPath: summary))
                return FollowResult(
                    try JSONDecoder().decode(FilmObserver.Result.self, from: data),
                    lines: witness.output.split(separator: "\n").dropFirst().map { $0 })
            }
        }
    }
}
