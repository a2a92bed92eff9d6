import GlissadeCXCB
import Glibc

/// The memory of a frame: either private, or an anonymous file that another process can map as well. The system frees
/// the file when the last process that uses it ends, even if that process is killed.
///
/// Reserves address space for the maximum size. Memory is allocated and freed as the size changes. The owner
/// synchronizes access.
final class FrameMemory {
    let address: UnsafeMutableRawPointer
    /// The maximum size, in bytes.
    let capacity: Int
    /// The file's descriptor; -1 for private memory.
    private let descriptor: Int32
    /// The allocated size, in bytes.
    private(set) var size = 0

    /// The granularity of `size`, in bytes. Avoids an allocation for every new size while the user enlarges a window.
    private static let step = 256 << 10

    /// Reserves address space for `capacity` bytes. Nil if address space or file descriptors run out.
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

    /// Returns a duplicate of the file descriptor, owned by the caller; -1 for private memory or on failure.
    func duplicate() -> Int32 { descriptor >= 0 ? fcntl(descriptor, F_DUPFD_CLOEXEC, 0) : -1 }

    /// Ensures that `byteCount` bytes can be used. Returns false if that exceeds the capacity, or if memory runs out.
    ///
    /// The pages of a shared file are allocated here, because running out of memory at first access would kill the
    /// process. If `byteCount` is less than a quarter of the allocated size, frees most of the rest.
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
                // If this fails, the memory stays allocated.
                guard glissade_punch_hole(descriptor, Int64(kept), Int64(capacity - kept)) == 0 else { return true }
            } else {
                madvise(address + kept, capacity - kept, MADV_DONTNEED)
            }
            size = kept
        }
        return true
    }
}
