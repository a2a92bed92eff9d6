import Glibc

/// The proxy settings in the environment variables that curl and wget use, such as `https_proxy`.
///
/// Glissade chooses the proxy itself, because its security checks depend on whether a request uses a proxy. Proxies
/// resolve host names themselves, so a request through a proxy can be checked only by the host in its URL.
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

    /// Returns the URL of the proxy for requests to `address`; nil for a direct connection.
    func proxy(for address: WebAddress) -> String? {
        guard let proxy = address.isEncrypted ? https : http else { return nil }
        let host = address.host.lowercased()
        let isExcepted = exceptions.contains { $0 == "*" || host == $0 || host.hasSuffix("." + $0) }
        return isExcepted ? nil : proxy
    }
}
