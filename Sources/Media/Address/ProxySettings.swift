import Glibc

/// The proxies that the environment names, as curl and wget read it. A value.
///
/// They are chosen here and not by libcurl, to know of each connection whether it goes to a proxy: that one may be anywhere, and
/// what it connects to is for it to judge. Of what is asked of it only what the address itself says is judged here: a number, or
/// a name that only local networks have.
struct ProxySettings: Hashable, Sendable {
    private var http: String?
    private var https: String?
    private var exceptions: [String]

    init(environment: (String) -> String? = { name in getenv(name).map { String(cString: $0) } }) {
        func first(_ names: String...) -> String? { names.lazy.compactMap(environment).first { !$0.isEmpty } }
        // `HTTP_PROXY` is left out: a web server sets it for programs from a header of the request.
        http = first("http_proxy", "all_proxy", "ALL_PROXY")
        https = first("https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY")
        exceptions = (first("no_proxy", "NO_PROXY") ?? "").lowercased().split { $0 == "," || $0 == " " }
            .map { String($0.hasPrefix(".") ? $0.dropFirst() : $0) }
    }

    /// The proxy for `address`; nil for a direct connection.
    func proxy(for address: WebAddress) -> String? {
        guard let proxy = address.isEncrypted ? https : http else { return nil }
        let host = address.host.lowercased()
        let isExcepted = exceptions.contains { $0 == "*" || host == $0 || host.hasSuffix("." + $0) }
        return isExcepted ? nil : proxy
    }
}
