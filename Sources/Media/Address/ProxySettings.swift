import Glibc

/// The proxy settings in the environment variables, interpreted as curl and wget do. A value.
///
/// Glissade chooses the proxy itself rather than leaving that to libcurl, because the security checks depend on whether
/// a connection uses one. A proxy may be on any network, and resolves host names itself. So for a request through a
/// proxy, only the host as written in the URL can be checked: whether it is a local IP address or a name reserved for
/// local networks.
struct ProxySettings: Hashable, Sendable {
    private var http: String?
    private var https: String?
    private var exceptions: [String]

    /// Reads the settings. `environment` returns the value of an environment variable, or nil if the variable is not
    /// set.
    init(environment: (String) -> String? = { name in getenv(name).map { String(cString: $0) } }) {
        func first(_ names: String...) -> String? { names.lazy.compactMap(environment).first { !$0.isEmpty } }
        // `HTTP_PROXY` is ignored: web servers set it for CGI programs from a request header (httpoxy).
        http = first("http_proxy", "all_proxy", "ALL_PROXY")
        https = first("https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY")
        exceptions = (first("no_proxy", "NO_PROXY") ?? "").lowercased().split { $0 == "," || $0 == " " }
            .map { String($0.hasPrefix(".") ? $0.dropFirst() : $0) }
    }

    /// Returns the URL of the proxy for requests to `address`; nil if the connection should be direct.
    func proxy(for address: WebAddress) -> String? {
        guard let proxy = address.isEncrypted ? https : http else { return nil }
        let host = address.host.lowercased()
        let isExcepted = exceptions.contains { $0 == "*" || host == $0 || host.hasSuffix("." + $0) }
        return isExcepted ? nil : proxy
    }
}
