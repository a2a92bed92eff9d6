import Testing
import GlissadeTime

@testable import GlissadeMedia

@Suite("Web addresses and proxies")
struct WebAddressTests {
    @Test(
        "Characters that need encoding are encoded, and the fragment is dropped",
        arguments: [
            ("http://a/my film.mp4", "http://a/my%20film.mp4"), ("http://a/é?q={x}#part", "http://a/%C3%A9?q=%7Bx%7D"),
            ("HTTPS://Host/A%20b", "https://Host/A%20b"), ("http://a", "http://a/"),
            ("http://[::1]:80/x", "http://[::1]:80/x"),
        ])
    func encoding(text: String, expected: String) {
        #expect(WebAddress(text)?.text.lowercased() == expected.lowercased())
    }

    @Test(
        "Only http and https are web addresses",
        arguments: [
            "", "a", "ftp://a/b", "file:///etc/passwd", "data:text/plain,x", "http://", "gopher://a", "http://a b/",
        ])
    func refused(text: String) { #expect(WebAddress(text) == nil) }

    @Test("The host is what the connection goes to, whatever precedes it")
    func host() {
        #expect(WebAddress("http://good.example@127.0.0.1/x")?.host == "127.0.0.1")
        #expect(WebAddress("http://[::ffff:127.0.0.1]/x")?.host == "::ffff:127.0.0.1")
        #expect(WebAddress("http://a.example:81/@127.0.0.1")?.host == "a.example")
    }

    @Test("User name and password are sent to the same server and to no other")
    func users() throws {
        let base = try #require(WebAddress("http://user:word@a.example/list/film.m3u8"))
        #expect(base.resolving("part.ts")?.text == "http://user:word@a.example/list/part.ts")
        #expect(base.resolving("http://a.example/part.ts")?.text == "http://user:word@a.example/part.ts")
        #expect(base.resolving("http://b.example/part.ts")?.text == "http://b.example/part.ts")
        #expect(base.resolving("http://a.example:81/part.ts")?.text == "http://a.example:81/part.ts")
        #expect(base.resolving("//b.example/part.ts")?.text == "http://b.example/part.ts")
        #expect(base.resolving("https://a.example/part.ts")?.text == "https://a.example/part.ts")
        #expect(base.resolving("file:///etc/passwd") == nil)
    }

    @Test("Proxies are taken from the environment as by curl and wget")
    func proxies() throws {
        let variables = [
            "http_proxy": "http://proxy:1", "HTTP_PROXY": "http://evil:1", "https_proxy": "http://proxy:2",
            "no_proxy": ".example.org, plain,LOCAL.net",
        ]
        let settings = ProxySettings { variables[$0] }
        func proxy(_ text: String) throws -> String? { settings.proxy(for: try #require(WebAddress(text))) }
        #expect(try proxy("http://a/") == "http://proxy:1")
        #expect(try proxy("https://a/") == "http://proxy:2")
        for excepted in ["example.org", "www.example.org", "plain", "host.local.net"] {
            #expect(try proxy("http://\(excepted)/") == nil, "\(excepted)")
        }
        #expect(try proxy("http://badexample.org/") == "http://proxy:1")
        let open = ProxySettings { ["all_proxy": "http://proxy:3", "no_proxy": "*"][$0] }
        #expect(open.proxy(for: try #require(WebAddress("http://a/"))) == nil)
        #expect(
            ProxySettings { ["HTTP_PROXY": "http://evil:1"][$0] }.proxy(for: try #require(WebAddress("http://a/")))
                == nil)
    }
}

@Suite("HTTP response heads")
struct HTTPHeadTests {
    private func head(_ lines: String...) -> HTTPHead {
        var head = HTTPHead()
        for line in lines + [""] {
            let isTaken = head.take(Array((line + "\r\n").utf8))
            #expect(isTaken)
        }
        return head
    }

    @Test("A partial response tells where it begins and how long the file is")
    func parts() {
        let part = head("HTTP/1.1 206 Partial Content", "Content-Range: bytes 10-19/100", "Content-Length: 10")
        #expect(part.isAnswer && part.takesRanges)
        #expect(part.contentRange?.start == 10)
        #expect(part.contentRange?.last == 19)
        #expect(part.contentRange?.total == 100)
        #expect(head("HTTP/1.1 206 x", "content-range: bytes 10-19/*").contentRange?.total == nil)
        for other in ["bytes=10-19/100", "10-19/100", "bytes: 10-19/100"] {
            #expect(head("HTTP/1.1 206 x", "Content-Range: \(other)").contentRange?.start == 10)
        }
        #expect(head("HTTP/1.1 206 x", "content-range: bytes 10-9/100").contentRange?.last == nil)
        #expect(head("HTTP/1.1 206 x", "content-range: bytes -5-2/3").contentRange?.start == nil)
        #expect(head("HTTP/1.1 416 x", "Content-Range: bytes */7").contentRange?.total == 7)
        for nonsense in [
            "bytes", "bytes x-y", "bytes 1-2", "bytes -5-2/3", "bytes 1-2/-3", "bytes 9999999999999999999-1/2",
        ] {
            let range = head("HTTP/1.1 206 x", "Content-Range: \(nonsense)").contentRange
            #expect((range?.start ?? 0) >= 0 && (range?.total ?? 0) >= 0, "\(nonsense)")
        }
    }

    @Test("An invalid length counts as unknown")
    func lengths() {
        #expect(head("HTTP/1.1 200 OK", "Content-Length: 12").contentLength == 12)
        for nonsense in ["-1", "abc", "99999999999999999999", ""] {
            #expect(head("HTTP/1.1 200 OK", "Content-Length: \(nonsense)").contentLength == nil, "\(nonsense)")
        }
        #expect(head("HTTP/1.1 200 OK", "Content-Length: 12", "Transfer-Encoding: chunked").contentLength == nil)
    }

    @Test("An interim response is not final, and the next head replaces it")
    func interim() {
        var interim = head("HTTP/1.1 103 Early Hints", "Location: /x")
        #expect(!interim.isAnswer)
        for line in ["HTTP/1.1 200 OK", ""] { _ = interim.take(Array((line + "\r\n").utf8)) }
        #expect(interim.isAnswer && interim.status == 200 && interim.location == nil)
    }

    @Test("Internet radio has no end, and a video without a length may have one")
    func ends() {
        #expect(head("ICY 200 OK", "icy-name: Radio").isRadio)
        #expect(head("HTTP/1.1 200 OK", "icy-name: Radio", "Transfer-Encoding: chunked").isRadio)
        #expect(head("HTTP/2 200", "icy-name: Radio").isRadio)
        #expect(!head("HTTP/1.1 200 OK", "icy-name: Radio", "Content-Length: 10").isRadio)
        #expect(!head("HTTP/1.0 200 OK", "Content-Type: video/mp4").isRadio)
        #expect(!head("HTTP/1.0 200 OK").isDelimited)
        #expect(head("HTTP/2 200").isDelimited)
        #expect(head("HTTP/1.1 200 OK", "Transfer-Encoding: chunked").isDelimited)
    }

    @Test("A response without length, date, tag and ranges may be a broadcast, and any of them means a file")
    func broadcasts() {
        #expect(head("HTTP/2 200", "Content-Type: video/mp2t").isUnmarked)
        #expect(head("HTTP/1.1 200 OK", "Transfer-Encoding: chunked").isUnmarked)
        for mark in ["ETag: x", "Last-Modified: Mon", "Accept-Ranges: bytes", "Content-Length: 1"] {
            #expect(!head("HTTP/2 200", mark).isUnmarked, "\(mark)")
        }
        #expect(!head("HTTP/2 206").isUnmarked)
    }

    @Test("Another entity tag or date means another file, and a weak tag equals the strong one")
    func sameness() {
        func with(_ fields: String...) -> HTTPHead {
            var head = HTTPHead()
            for line in ["HTTP/1.1 200 OK"] + fields + [""] { _ = head.take(Array((line + "\r\n").utf8)) }
            return head
        }
        #expect(with("ETag: \"a\"").isSameContent(as: with("ETag: W/\"a\"")))
        #expect(!with("ETag: \"a\"").isSameContent(as: with("ETag: \"b\"")))
        #expect(!with("Last-Modified: Mon").isSameContent(as: with("Last-Modified: Tue")))
        #expect(with("ETag: \"a\"").isSameContent(as: with("Last-Modified: Tue")))
        #expect(with("Last-Modified: Mon").isAsOld(as: with("ETag: \"b\"", "Last-Modified: Mon")))
        #expect(!with("Last-Modified: Mon").isAsOld(as: with("Last-Modified: Tue")))
        #expect(!with("ETag: \"a\"").isAsOld(as: with("ETag: \"a\"")))
    }

    @Test("An endless response head is refused")
    func endless() {
        var head = HTTPHead()
        let line = Array(("X: " + String(repeating: "x", count: 1000) + "\r\n").utf8)
        var count = 0
        while head.take(line), count < 1000 { count += 1 }
        #expect(count < 1000)
    }
}

@Suite("Retry schedule")
struct RetryScheduleTests {
    private let start = HostTime(nanoseconds: 1_000_000_000)

    @Test("The first retry is immediate, and later ones wait longer until the timeout is over")
    func pauses() {
        var schedule = RetrySchedule(pauses: [.zero, .seconds(1), .seconds(4)])
        var now = start
        var pauses: [Duration] = []
        while let pause = schedule.failed(at: now, timeout: .seconds(12)) {
            pauses.append(pause)
            now = now + pause
        }
        #expect(pauses == [.zero, .seconds(1), .seconds(4), .seconds(4)])
    }

    @Test("Receiving a few bytes is no recovery, and receiving many is")
    func recovery() {
        var schedule = RetrySchedule(pauses: [.zero, .seconds(1)])
        #expect(schedule.failed(at: start, timeout: .seconds(2)) == .zero)
        schedule.received(1000, at: start)
        #expect(schedule.failed(at: start + .milliseconds(1500), timeout: .seconds(2)) == nil)
        schedule.received(RetrySchedule.recoveredBytes, at: start + .seconds(2))
        #expect(!schedule.hasFailed)
        #expect(schedule.failed(at: start + .seconds(100), timeout: .seconds(2)) == .zero)
    }

    @Test("Receiving a few bytes for some seconds without failure is a recovery")
    func slowRecovery() {
        var schedule = RetrySchedule(pauses: [.zero, .seconds(1)])
        #expect(schedule.failed(at: start, timeout: .seconds(2)) == .zero)
        schedule.received(100, at: start + .seconds(1))
        schedule.received(100, at: start + .seconds(4))
        #expect(schedule.hasFailed)
        schedule.received(100, at: start + .seconds(1) + RetrySchedule.recoveredTime)
        #expect(!schedule.hasFailed)
        // The time before another failure does not count.
        #expect(schedule.failed(at: start + .seconds(10), timeout: .seconds(2)) == .zero)
        schedule.received(100, at: start + .seconds(10))
        #expect(schedule.failed(at: start + .seconds(11), timeout: .seconds(9)) == .seconds(1))
        schedule.received(100, at: start + .seconds(16))
        #expect(schedule.hasFailed)
    }
}
