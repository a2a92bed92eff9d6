import GlissadeCXCB
import Foundation
import GlissadeGeometry
import GlissadePlatform
import GlissadeRendering
import GlissadeTime
import GlissadeWindowing

// Measures what it costs to show a frame drawn by the CPU, with each presentation method. Prints frames per second,
// and milliseconds of CPU time per frame in this process and in the X server. Nothing is drawn: buffers are only
// taken and shown.
//
//     presentation-benchmark [--frames N] [--server PID]
//
// Uses the display in DISPLAY. PID is the X server's process ID, for its CPU time.

let arguments = CommandLine.arguments
func value(of name: String) -> Int? {
    arguments.firstIndex(of: name).flatMap { arguments.dropFirst($0 + 1).first.flatMap(Int.init) }
}
let frames = max(1, value(of: "--frames") ?? 300)
let server = value(of: "--server")

/// Returns the CPU time of a process's first thread, in milliseconds, from `schedstat`; 0 if unknown.
func processorTime(of process: Int?) -> Double {
    guard let process, let text = try? String(contentsOfFile: "/proc/\(process)/schedstat", encoding: .utf8),
        let nanoseconds = text.split(separator: " ").first.flatMap({ Double($0) })
    else { return 0 }
    return nanoseconds / 1e6
}

@MainActor func openWindow(_ size: PixelSize) -> UInt32? {
    guard let raw = xcb_connect(nil, nil), let screen = glissade_xcb_screen(raw, 0)?.pointee else { return nil }
    let id = xcb_generate_id(raw)
    xcb_create_window(
        raw, screen.root_depth, id, screen.root, 0, 0, UInt16(size.width), UInt16(size.height), 0,
        UInt16(XCB_WINDOW_CLASS_INPUT_OUTPUT.rawValue), screen.root_visual, 0, nil)
    xcb_map_window(raw, id)
    // After this reply, the window exists. The connection stays open until the program exits.
    free(xcb_get_input_focus_reply(raw, xcb_get_input_focus(raw), nil))
    return id
}

@MainActor func measure(_ size: PixelSize, _ way: XPresentationMethod, _ part: PixelRect?) throws {
    guard let window = openWindow(size) else { return print("no X server") }
    let output = try XSoftwareOutput(window: window, on: .shared(), from: way)
    func show(_ count: Int) throws {
        for _ in 0..<count {
            guard let buffer = try output.takeBuffer(size) else { fatalError("no buffer") }
            buffer.memory.storeBytes(of: UInt32(output.shownCount), as: UInt32.self)
            try output.show(buffer, changed: part)
        }
        guard try output.finish(until: .now() + .seconds(60)) else { return print("the server does not answer") }
    }
    try show(10)
    _ = output.takeShown()
    let (began, own, other) = (HostTime.now(), processorTime(of: Int(getpid())), processorTime(of: server))
    try show(frames)
    let passed = (HostTime.now() - began).inMilliseconds
    let perFrame = Double(frames)
    print(
        String(
            format: "%4d x %4d  %-13@ %-7@ %7.1f frames/s   here %.3f ms   server %.3f ms", size.width, size.height,
            output.methodName as NSString, (part == nil ? "all" : "quarter") as NSString, perFrame / passed * 1000,
            (processorTime(of: Int(getpid())) - own) / perFrame, (processorTime(of: server) - other) / perFrame))
}

do {
    for (width, height) in [(1280, 720), (1920, 1080)] {
        for way in XPresentationMethod.allCases {
            for part in [nil, PixelRect(minX: 0, minY: 0, maxX: width / 2, maxY: height / 2)] {
                try measure(PixelSize(width: width, height: height), way, part)
            }
        }
    }
} catch {
    print("\(error)")
    exit(EXIT_FAILURE)
}
