import Foundation
import Testing
import GlissadeTestSupport
import GlissadeTime

@testable import GlissadeMedia
@testable import GlissadePlayback

/// DASH manifests in files, with their segments beside them.
@MainActor @Suite("DASH manifests in files", .serialized)
struct LocalManifestTests {
    @Test(
        "A manifest in a file lists its variants, can be sought, and plays to its end",
        arguments: StreamVariants.DASHKind.allCases)
    func playing(kind: StreamVariants.DASHKind) throws {
        try StreamVariants.makeDASH(kind)
        let harness = PlaybackHarness(Clips.folder.path + "/" + kind.name)
        let info = try #require(harness.open(), "\(harness.player.state)")
        #expect(info.container == "dash" && info.isSeekable)
        #expect(info.variants.map(\.height) == [180, 90])
        #expect(harness.nextFrame()?.number == 0)
        harness.expectEnding()
    }

    private func refusal(_ name: String, _ old: String, _ new: String) throws -> String? {
        try StreamVariants.makeDASH(.timeline)
        let text = try String(contentsOfFile: Clips.folder.path + "/dash-timeline.mpd", encoding: .utf8)
        let path = try Clips.file(name, data: Data(text.replacingOccurrences(of: old, with: new).utf8))
        let harness = PlaybackHarness(path)
        harness.open()
        if case .failed(let error) = harness.player.state { return error.description }
        return nil
    }

    @Test("A manifest that refers to an address, an absolute path or a parent folder is refused")
    func references() throws {
        let listener = try Listener()
        let host = "http://127.0.0.1:\(listener.port)/"
        for (index, (place, reason)) in [
            (host, "blocked: a playlist in a file cannot refer to an address (\(host)"),
            ("/etc/", "blocked: it refers to a file outside its folder (/etc/"),
            ("../", "blocked: it refers to a file outside its folder (/"),
            ("file:///etc/", "its DASH manifest contains an invalid address"),
        ].enumerated() {
            for attribute in ["initialization=\"", "media=\""] {
                let name = "local-\(index)-\(attribute.prefix(5)).mpd"
                let refusal = try refusal(name, attribute, attribute + place)
                #expect(refusal?.hasPrefix(reason) == true, "\(attribute)\(place): \(refusal ?? "played")")
            }
        }
        #expect(!listener.wasCalled)
    }

    @Test("What cannot be played is refused with its reason")
    func refusals() throws {
        #expect(
            try refusal("local-live.mpd", "type=\"static\"", "type=\"dynamic\"")
                == "live DASH streams are not supported")
        #expect(try refusal("local-cut.mpd", "</MPD>", "") == "its DASH manifest is damaged")
        #expect(
            try refusal("local-none.mpd", "dash-timeline-", "no-such-")
                .map { $0.hasPrefix("no-such-") && $0.hasSuffix(": no such file or directory") } == true)
    }

    @Test("A manifest that is too long is refused")
    func long() throws {
        let text = "<MPD>" + String(repeating: " ", count: 5 << 20) + "</MPD>"
        let path = try Clips.file("local-long.mpd", data: Data(text.utf8))
        #expect(throws: PlaybackError.cannotOpen(reason: "its playlist is too long")) { try MediaInfo(opening: path) }
    }
}
