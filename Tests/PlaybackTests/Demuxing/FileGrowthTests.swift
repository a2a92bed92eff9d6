import Testing
import GlissadeTime

@testable import GlissadePlayback

@Suite("Growing files") struct FileGrowthTests {
    private func at(_ milliseconds: Int64) -> HostTime { HostTime(nanoseconds: milliseconds * 1_000_000) }

    @Test("A file that does not grow is read to its end at once")
    func whole() {
        var growth = FileGrowth(size: 1_000_000, length: .seconds(10))
        #expect(growth.isDue(0, at: at(0)))
        let grew = growth.note(size: 1_000_000, at: at(0))
        #expect(!grew)
        #expect(!growth.isDue(900_000, at: at(500)) && growth.isDue(960_000, at: at(500)))
        #expect(!growth.waits(999_999, at: at(500)) && growth.isDue(0, at: at(1000)))
    }

    @Test("Of a file that grows, half a second is left unread until it has not grown for 2 s")
    func growing() {
        var growth = FileGrowth(size: 1_000_000, length: .seconds(10))
        let grew = growth.note(size: 1_100_000, at: at(1000))
        #expect(grew)
        #expect(!growth.waits(1_049_999, at: at(1000)) && growth.waits(1_050_001, at: at(1000)))
        let growsOn = growth.note(size: 1_100_000, at: at(2000))
        #expect(!growsOn)
        #expect(growth.waits(1_100_000, at: at(2999)) && !growth.waits(1_100_000, at: at(3000)))
        #expect(growth.length == 11_000_000_000)
    }

    @Test(
        "Without a length, and with impossible ones, some bytes are left",
        arguments: [nil, Duration.zero, .seconds(1 << 40)])
    func unknown(length: Duration?) {
        var growth = FileGrowth(size: 100, length: length)
        let grew = growth.note(size: .max, at: at(0))
        #expect(grew)
        #expect(growth.waits(.max, at: at(0)) && !growth.waits(0, at: at(0)))
        #expect(growth.length.map { $0 > 0 } ?? true)
        var none = FileGrowth(size: -1, length: length)
        let grewToo = none.note(size: -1, at: at(0))
        #expect(!grewToo && !none.waits(0, at: at(0)) && none.length == nil)
    }
}
