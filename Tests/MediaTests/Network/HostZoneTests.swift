import Testing

@testable import GlissadeMedia

@Suite("Host zones")
struct HostZoneTests {
    private func zone(_ text: String) throws -> HostZone { HostZone(of: try #require(IPAddress(text), "\(text)")) }

    @Test(
        "Loopback, link-local, private, multicast and reserved addresses are local",
        arguments: [
            "0.0.0.0", "0.1.2.3", "10.0.0.1", "10.255.255.255", "100.64.0.1", "100.127.255.255", "127.0.0.1",
            "127.255.255.254",
            "169.254.169.254", "172.16.0.1", "172.31.255.255", "192.0.0.8", "192.0.2.1", "192.168.0.1",
            "192.168.255.255",
            "198.18.0.1", "198.19.255.255", "198.51.100.1", "203.0.113.1", "224.0.0.1", "239.255.255.250", "240.0.0.1",
            "255.255.255.255", "::", "::1", "::7f00:1", "::ffff:127.0.0.1", "::ffff:10.0.0.1", "::ffff:169.254.169.254",
            "64:ff9b::127.0.0.1", "64:ff9b::c0a8:1", "64:ff9b:1::8.8.8.8", "100::1", "2001::1", "2001:1ff::1",
            "2001:db8::1",
            "2002:7f00:1::", "2002:c0a8:101::1", "3fff:fff::1", "4000::1", "fc00::1", "fdff::1", "fe80::1",
            "fe80::1%eth0",
            "febf::1", "fec0::1", "ff02::1", "ff0e::1",
        ])
    func local(text: String) throws { #expect(try zone(text) == .local) }

    @Test(
        "All other addresses are global, up to the edges of the reserved ranges",
        arguments: [
            "1.0.0.0", "8.8.8.8", "9.255.255.255", "11.0.0.0", "100.63.255.255", "100.128.0.0", "126.255.255.255",
            "128.0.0.0",
            "169.253.255.255", "169.255.0.0", "172.15.255.255", "172.32.0.0", "192.0.1.0", "192.0.3.0",
            "192.167.255.255",
            "192.169.0.0", "198.17.255.255", "198.20.0.0", "223.255.255.255", "::ffff:8.8.8.8", "64:ff9b::8.8.8.8",
            "2000::1", "2001:200::1", "2001:4860:4860::8888", "2001:db7::1", "2001:db9::1", "2002:808:808::1",
            "2a00::1",
            "3fff:1000::1",
        ])
    func global(text: String) throws { #expect(try zone(text) == .global) }

    @Test(
        "Text that is no IP address is rejected",
        arguments: [
            "", "localhost", "127.1", "1.2.3", "1.2.3.4.5", "256.0.0.1", ":::", "12345::", "0x7f.0.0.1", "[::1]",
        ])
    func nonsense(text: String) { #expect(IPAddress(text) == nil) }

    @Test("An IPv4-mapped IPv6 address is treated as the IPv4 address")
    func mapped() {
        #expect(IPAddress("::ffff:192.0.2.7") == IPAddress("192.0.2.7"))
        #expect(IPAddress("::ffff:192.0.2.7")?.description == "192.0.2.7")
        #expect(IPAddress(bytes: [1, 2, 3]) == nil)
    }

    @Test(
        "The user may open any host, local content may lead to local hosts, and global content only to global ones",
        arguments: [
            (Referrer.user, true, true), (.host(.local), true, true), (.host(.global), false, true),
        ])
    func leading(referrer: Referrer, toLocal: Bool, toGlobal: Bool) {
        #expect(referrer.mayLead(to: .local) == toLocal)
        #expect(referrer.mayLead(to: .global) == toGlobal)
    }

    @Test(
        "For a host that a proxy resolves, IP literals and local network names decide its zone",
        arguments: [
            ("127.0.0.1", HostZone.local), ("127.1", .local), ("2130706433", .local), ("0x7f000001", .local),
            ("::1", .local),
            ("localhost", .local), ("LOCALHOST", .local), ("a.localhost", .local), ("localhost.", .local),
            ("nas.local", .local), ("router", .local), ("nas.lan", .local), ("x.home.arpa.", .local),
            ("metadata.google.INTERNAL", .local),
            ("8.8.8.8", .global), ("example.org", .global), ("localhost.example.org", .global),
            ("lan.example", .global), ("notlan", .local), ("example.notlan", .global),
        ])
    func names(name: String, zone: HostZone) { #expect(HTTPTransfer.zone(ofName: name, NetworkRules()) == zone) }
}
