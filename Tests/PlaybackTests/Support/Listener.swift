import Foundation
import Testing

/// A port of this machine that notes whether somebody calls.
final class Listener {
    let port: Int
    private let socketHandle: CInt

    init() throws {
        socketHandle = socket(AF_INET, CInt(SOCK_STREAM.rawValue) | CInt(SOCK_NONBLOCK.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(INADDR_LOOPBACK).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let handle = socketHandle
        let code = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(handle, $0, length) | listen(handle, 4) | getsockname(handle, $0, &length)
            }
        }
        try #require(code == 0)
        port = Int(UInt16(bigEndian: address.sin_port))
    }

    deinit { close(socketHandle) }

    var wasCalled: Bool {
        let call = accept(socketHandle, nil, nil)
        if call >= 0 { close(call) }
        return call >= 0
    }
}
