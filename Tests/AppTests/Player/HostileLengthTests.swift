import Testing
import GlissadeTestSupport
import GlissadeTime

@testable import GlissadeApp

@Suite("Progress bar for media of absurd length") struct HostileLengthTests {
    @Test("Every place on the progress bar, including both ends, is a position within the media")
    func positions() {
        for seed in 0..<100_000 as Range<UInt64> {
            var hostile = HostileNumbers(seed: seed)
            var figures = PlayerStatus()
            let length = Duration.nanoseconds(hostile.next())
            figures.length = length
            figures.speed = 4
            for fraction in [-1, 0, 1e-12, 0.5, 1 - 1e-16, 1, 2, .infinity, .nan] {
                let position = figures.position(at: fraction)
                // A length beyond 53 bits is rounded on its way through the share.
                if position < .zero && length >= .zero || position > max(.zero, length) + .microseconds(1) {
                    Issue.record("\(length) at \(fraction) leads to \(position)")
                    return
                }
            }
            let fraction = figures.fraction(.nanoseconds(hostile.next()))
            if !(0...1).contains(fraction) {
                Issue.record("\(length) gives a share of \(fraction)")
                return
            }
        }
    }
}
