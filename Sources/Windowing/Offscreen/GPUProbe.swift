import GlissadeCEGL
import Glibc

/// Guesses, before any window exists, whether this machine has a GPU with an OpenGL driver. Main thread.
@MainActor public enum GPUProbe {
    /// Whether the machine probably has a GPU. Loads no driver if there is no device file for a GPU.
    ///
    /// Even if this is true, the driver may be a software rasterizer, for example if the graphics card has no 3D
    /// support. Once a context exists, `GLDevice.isSoftware` gives the definitive answer.
    public static var findsGPU: Bool {
        // NVIDIA's own driver ignores LIBGL_ALWAYS_SOFTWARE, which is Mesa's.
        if access("/dev/nvidiactl", F_OK) == 0 { return true }
        if let value = getenv("LIBGL_ALWAYS_SOFTWARE"), ["1", "true", "yes", "y"].contains(String(cString: value)) {
            return false
        }
        let devices = ["/dev/dri", "/dev/nvidia0", "/dev/dxg", "/dev/mali0", "/dev/kgsl-3d0"]
        guard devices.contains(where: { access($0, F_OK) == 0 }) else { return false }
        return EGLPlatform.hasHardwareDevice
    }
}
