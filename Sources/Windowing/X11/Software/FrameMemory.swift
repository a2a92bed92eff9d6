import CXCB
import Glibc

/// Pages for a frame: private, or of an anonymous file that another process may map as well. The file disappears with
/// the last process that uses it, even if that process is killed.
///
/// Addresses are reserved; memory is allocated as needed, and returned. The owner synchronizes access.
final class FrameMemory {
    let address: UnsafeMutableRawPointer
    /// The maximum size, in bytes.
    let capacity: Int
    /// The file; -1 for private memory.
    private let descriptor: Int32
    /// The allocated size, in bytes.
    private(set) var size = 0

    /// The increment of `size`, in bytes: a window that the user enlarges needs slightly more in every frame.
    private static let step = 256 << 10

    /// Reserves addresses for `capacity` bytes. Nil if there are none, or no file.
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

    /// A duplicate of the file descriptor, owned by the caller; -1 if there is none.
    func duplicate() -> Int32 { descriptor >= 0 ? fcntl(descriptor, F_DUPFD_CLOEXEC, 0) : -1 }

    /// Ensures memory for `byteCount` bytes. False if that exceeds the capacity, or the system is out of memory.
    ///
    /// Missing pages of a shared file are allocated at the first access, which kills the process if there are none. So
    /// they are allocated here instead. Memory far beyond `byteCount` is returned.
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
                // If it cannot be returned, it stays allocated.
                guard glissade_punch_hole(descriptor, Int64(kept), Int64(capacity - kept)) == 0 else { return true }
            } else {
                madvise(address + kept, capacity - kept, MADV_DONTNEED)
            }
            size = kept
        }
        return true
    }
}
