import Glibc
import GlissadePlatform

/// Crashes as its second argument says, in a thread of its own, with reports going to the folder that is the first. Or is a
/// parent and its child, which writes its number into a file of that folder.
@main struct Crasher {
    static func main() throws {
        let arguments = CommandLine.arguments
        guard arguments.count == 3 else { exit(2) }
        // Threads that tests are run on have some blocked, which a program that they start inherits.
        var none = sigset_t()
        sigemptyset(&none)
        sigprocmask(SIG_SETMASK, &none, nil)
        let kind = arguments[2]
        switch kind {
        case "parent": exit(ChildProcess.runSelf([arguments[1], "child"]) == nil ? 9 : 8)
        case "impatient parent": exit(ChildProcess.runSelf([arguments[1], "short child"]) == nil ? 9 : 8)
        case "child", "short child":
            ChildProcess.endWithParent(within: .seconds(kind == "child" ? 600 : 1))
            try OutputFile.write(Array(String(getpid()).utf8), to: arguments[1] + "/child")
            while true { pause() }
        default: break
        }
        // A handler of somebody else's, as a sanitizer's would be.
        if kind == "handled" { signal(SIGSEGV, leave) }
        CrashReports.begin(program: "Crasher 1.0", folder: BytePath(arguments[1]))
        try NamedThread(name: "unlucky") { crash(kind) }.join()
    }

    static func crash(_ kind: String) {
        switch kind {
        case "trap": trap(kind.utf8.count)
        case "memory", "handled": read(kind.utf8.count)
        case "stack": print(overflow(kind.utf8.count))
        case "jump": jump(kind.utf8.count)
        case "return": damageReturn(kind.utf8.count)
        case "abort": abort()
        default: exit(2)
        }
    }

    /// Arithmetic that overflows, by a number that the compiler does not know.
    @inline(never) static func trap(_ count: Int) { print(Int.max - 3 + count) }

    /// An address at which there is nothing.
    @inline(never) static func read(_ count: Int) {
        print(UnsafePointer<Int>(bitPattern: 16 * count)?.pointee ?? 0)
    }

    /// A call of a function where there is none.
    @inline(never) static func jump(_ count: Int) {
        let address = 0x41_4141_413D + count
        unsafeBitCast(address, to: (@convention(c) () -> Void).self)()
        print(address)
    }

    /// A stack whose nearest return addresses were written over before a fault: its unwinding leads nowhere.
    @inline(never) static func damageReturn(_ count: Int) {
        withUnsafeTemporaryAllocation(of: Int.self, capacity: 16) { buffer in
            buffer.initialize(repeating: 0x41_4141_4141)
            buffer.baseAddress?.update(repeating: 0x41_4141_4141, count: 64)
            read(buffer[count & 15] & 1)
        }
    }

    @inline(never) static func overflow(_ depth: Int) -> Int {
        withUnsafeTemporaryAllocation(of: Int.self, capacity: 64) { buffer in
            buffer.initialize(repeating: depth)
            return overflow(depth &+ 1) &+ buffer[depth & 63]
        }
    }
}

private func leave(_ signal: Int32) { _exit(7) }
