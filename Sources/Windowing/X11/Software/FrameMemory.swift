import CXCB
import Glibc

/// Pages for a frame, of this process alone or of a file without a name, which another process may map too. Of the file
/// nothing is left when all of them have ended, however they end.
///
/// Addresses are reserved; memory is taken as it is asked for, and given back. The owner says who may use it when.
final class FrameMemory {
    let address: UnsafeMutableRawPointer
    /// How much it can hold, in bytes.
    let capacity: Int
    /// Of the file; -1 where other processes have no part in it.
    private let descriptor: Int32
    /// How much of it there is, in bytes.
    private(set) var size = 0

    /// In which steps it grows, in bytes: a window that is drawn larger by a hand asks for a little more in every frame.
    private static let step = 256 << 10

    /// Reserves addresses for `capacity` bytes. Nil where there are none, or no file.
    init?(capacity: Int, isShared: Bool) {
        let pages = (max(capacity, 1) + 4095) & ~4095
        var descriptor: Int32 = -1
        if isShared {
            descriptor = glissade_memory_file("glissade-frame")
            guard descriptor >= 0 else { return nil }
            guard ftruncate(descriptor, pages) == 0 else {
                close(descriptor)
                return nil
            }
        }
        let flags = isShared ? MAP_SHARED : MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE
        guard let address = mmap(nil, pages, PROT_READ | PROT_WRITE, flags, descriptor, 0), address != MAP_FAILED else {
            if descriptor >= 0 { close(descriptor) }
            return nil
        }
        self.address = address
        self.capacity = pages
        self.descriptor = descriptor
    }

    deinit {
        munmap(address, capacity)
        if descriptor >= 0 { close(descriptor) }
    }

    /// The file once more, for whoever takes it over; -1 where there is none.
    func duplicate() -> Int32 { descriptor >= 0 ? fcntl(descriptor, F_DUPFD_CLOEXEC, 0) : -1 }

    /// Has memory for `byteCount` bytes. False where the capacity is less, or the system has no more.
    ///
    /// Pages of a shared file that do not exist are made at the first access, and where there are none then, that access
    /// ends the process: they are asked for here. Much more than is asked for is given back.
    func resize(to byteCount: Int) -> Bool {
        guard byteCount <= capacity else { return false }
        if byteCount > size {
            let wanted = min((byteCount + Self.step - 1) / Self.step * Self.step, capacity)
            if descriptor >= 0 {
                var error = posix_fallocate(descriptor, size, wanted - size)
                while error == EINTR { error = posix_fallocate(descriptor, size, wanted - size) }
                guard error == 0 else { return false }
            }
            size = wanted
        } else if byteCount < size / 4, size > Self.step {
            let kept = min((byteCount + Self.step - 1) / Self.step * Self.step, size)
            if descriptor >= 0 {
                // What cannot be given back stays.
                guard glissade_punch_hole(descriptor, Int64(kept), Int64(capacity - kept)) == 0 else { return true }
            } else {
                madvise(address + kept, capacity - kept, MADV_DONTNEED)
            }
            size = kept
        }
        return true
    }
}
