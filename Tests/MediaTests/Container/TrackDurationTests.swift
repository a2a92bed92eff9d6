import Testing

@testable import GlissadeMedia

@Suite("Track durations") struct TrackDurationTests {
    @Test("A track's length is read from Matroska's tag")
    func tag() {
        #expect(TrackDuration("01:02:03.500000000")?.duration == .seconds(3723.5))
        for text in ["", "12", "1:2", "00:00:60", "00:61:00", "-1:00:00", "00:00:nan", "00:00:00:00"] {
            #expect(TrackDuration(text) == nil, "\(text)")
        }
    }
}
