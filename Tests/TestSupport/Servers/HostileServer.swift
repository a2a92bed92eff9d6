package import Foundation

/// A web server that misbehaves as its addresses say: `Scripts/hostile-server`, which tells how. It ends with this object, and
/// with the process.
package final class HostileServer {
    package struct Failure: Error { let reason: String }

    package let host: String
    package let port: Int
    /// Where it pours a file out, without HTTP.
    package let pouringPort: Int?
    /// Whether this machine has `::1`.
    package static let hasIPv6: Bool = {
        let descriptor = socket(AF_INET6, Int32(SOCK_STREAM.rawValue), 0)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        var place = sockaddr_in6()
        place.sin6_family = sa_family_t(AF_INET6)
        place.sin6_addr = in6addr_loopback
        return withUnsafePointer(to: place) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in6>.size)) == 0
            }
        }
    }()

    private let scheme: String
    private let process = Process()
    private let input = Pipe()

    /// - Parameters:
    ///   - folder: what it serves.
    ///   - port: where it listens; 0 for any.
    ///   - certificate: files of a certificate and its key, by which it speaks TLS.
    ///   - pours: a file's name, and how much of it whoever connects to `pouringPort` gets before `pour`.
    package init(
        _ folder: URL, host: String = "127.0.0.1", port: Int = 0, certificate: (file: String, key: String)? = nil,
        pours: (name: String, bytes: Int)? = nil
    ) throws {
        self.host = host
        scheme = certificate == nil ? "http" : "https"
        let script = Repository.path("Scripts/hostile-server")
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["python3", script, folder.path, "--host", host, "--port", String(port)]
        if let certificate {
            process.arguments! += ["--certificate", certificate.file, "--key", certificate.key]
        }
        if let pours { process.arguments! += ["--pour", "\(pours.name):\(pours.bytes)"] }
        let output = Pipe()
        process.standardOutput = output
        process.standardInput = input
        try process.run()
        guard let line = output.fileHandleForReading.firstLine() else {
            throw Failure(reason: "the server has not started")
        }
        let ports = line.split { $0.isWhitespace }.compactMap { Int($0) }
        guard let port = ports.first else { throw Failure(reason: "the server has not told its port") }
        self.port = port
        pouringPort = ports.count > 1 ? ports[1] : nil
    }

    deinit {
        try? input.fileHandleForWriting.close()
        process.waitUntilExit()
    }

    /// The address of a path, which begins with `/`.
    package func address(_ path: String, host: String? = nil) -> String {
        "\(scheme)://\(host ?? self.host):\(port)\(path)"
    }

    /// An address of its own that redirects to another.
    package func redirection(to address: String) -> String {
        self.address("/to=" + (address.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""))
    }

    /// The paths that were asked for, in order; waits, not without end, until there are so many.
    package func log(atLeast count: Int = 0) throws -> [String] {
        try ask("/log=\(count)").split(separator: "\n").map(String.init)
    }

    /// Has it pour out the rest.
    package func pour() throws { _ = try ask("/pour") }

    private func ask(_ path: String) throws -> String {
        let descriptor = try connected()
        defer { close(descriptor) }
        let request = Array("GET \(path) HTTP/1.1\r\n\r\n".utf8)
        guard send(descriptor, request, request.count, 0) == request.count else { throw Failure(reason: "not sent") }
        shutdown(descriptor, Int32(SHUT_WR))
        var answer: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 1 << 16)
        while case let count = recv(descriptor, &chunk, chunk.count, 0), count > 0 { answer += chunk[..<count] }
        let text = String(decoding: answer, as: UTF8.self)
        guard let body = text.range(of: "\r\n\r\n") else { throw Failure(reason: "no answer") }
        return String(text[body.upperBound...])
    }

    private func connected() throws -> Int32 {
        var hints = addrinfo()
        hints.ai_flags = AI_NUMERICHOST | AI_NUMERICSERV
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        var found: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(host, String(port), &hints, &found) == 0, let place = found?.pointee else {
            throw Failure(reason: "no address")
        }
        defer { freeaddrinfo(found) }
        let descriptor = socket(place.ai_family, place.ai_socktype, 0)
        guard descriptor >= 0 else { throw Failure(reason: "no socket") }
        guard connect(descriptor, place.ai_addr, place.ai_addrlen) == 0 else {
            close(descriptor)
            throw Failure(reason: "no connection")
        }
        return descriptor
    }
}

/// Certificates, made by `openssl` when they are asked for.
package struct TestCertificate {
    package let file: String
    package let key: String

    /// A certificate that vouches for itself.
    ///
    /// - Parameters:
    ///   - names: of the hosts that it is for, as a certificate says it: `IP:127.0.0.1`, `DNS:localhost`.
    package init(in folder: URL, name: String, names: String) throws {
        file = folder.appendingPathComponent("\(name).pem").path
        key = folder.appendingPathComponent("\(name).key").path
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = [
            "openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days",
            "2",
            "-subj", "/CN=Test", "-addext", "subjectAltName=\(names)", "-keyout", key, "-out", file,
        ]
        process.standardError = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else {
            throw HostileServer.Failure(reason: "openssl has made no certificate")
        }
    }
}
