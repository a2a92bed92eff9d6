import Synchronization
import Testing

@testable import GlissadePlatform

@Suite("Mailbox")
struct MailboxTests {
    @Test("Messages are taken in the order in which they were added, one by one or all at once")
    func order() {
        let mailbox = Mailbox<Int> {}
        #expect(mailbox.take() == nil)
        #expect(mailbox.takeAll().isEmpty)
        for message in 1...4 { mailbox.put(message) }
        #expect(mailbox.take() == 1)
        #expect(mailbox.takeAll() == [2, 3, 4])
        #expect(mailbox.take() == nil)
    }

    @Test("A message replaces the waiting ones that it makes obsolete, and comes last")
    func replacing() {
        let mailbox = Mailbox<Int> {}
        for message in 1...4 { mailbox.put(message) }
        mailbox.put(6) { $0.isMultiple(of: 2) }
        #expect(mailbox.takeAll() == [1, 3, 6])
    }

    @Test("The receiver is woken once until it takes the messages")
    func waking() {
        let wakes = Mutex(0)
        let mailbox = Mailbox<Int> { wakes.withLock { $0 += 1 } }
        for message in 0..<5 { mailbox.put(message) { _ in true } }
        #expect(wakes.withLock { $0 } == 1)
        #expect(mailbox.takeAll() == [4])
        mailbox.put(5)
        mailbox.put(6)
        #expect(wakes.withLock { $0 } == 2)
    }

    @Test("Messages beyond the limit are dropped, but for those that replace others")
    func limit() {
        let mailbox = Mailbox<Int>(limit: 2) {}
        for message in 1...3 { mailbox.put(message) }
        mailbox.put(4) { $0 == 1 }
        #expect(mailbox.takeAll() == [2, 4])
    }
}
