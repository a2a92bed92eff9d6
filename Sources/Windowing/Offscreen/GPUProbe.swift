import CEGL
import Glibc

/// Detects whether this machine has a GPU that draws OpenGL. Main thread.
@MainActor public enum GPUProbe {
    /// Whether there probably is a GPU. Guessed before there is a window, and without loading a driver if there is no
    /// device.
    ///
    /// The driver may still be a rasterizer (for a card without 3D): `GLDevice.isSoftware` tells once there is a
    /// context.
    public static var findsGPU: Bool {
        // NVIDIA's own driver ignores Mesa's variable.
        if access("/dev/nvidiactl", F_OK) == 0 { return true }
        if let value = getenv("LIBGL_ALWAYS_SOFTWARE"), ["1", "true", "yes", "y"].contains(String(cString: value)) {
            return false
        }
        let devices = ["/dev/dri", "/dev/nvidia0", "/dev/dxg", "/dev/mali0", "/dev/kgsl-3d0"]
        guard devices.contains(where: { access($0, F_OK) == 0 }) else { return false }
        return EGLPlatform.hasHardwareDevice
    }
}
