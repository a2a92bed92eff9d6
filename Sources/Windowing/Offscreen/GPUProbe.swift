import CEGL
import Glibc

/// Whether OpenGL is drawn by a GPU on this machine. Main thread.
@MainActor public enum GPUProbe {
    /// As far as that can be told before there is a window, without loading a driver where no device is there to be driven.
    ///
    /// What drives a display may be a rasterizer all the same (a card without 3D): `GLDevice.isSoftware` says so once there is a
    /// context.
    public static var findsGPU: Bool {
        // NVIDIA's own driver knows nothing of Mesa's variable.
        if access("/dev/nvidiactl", F_OK) == 0 { return true }
        if let value = getenv("LIBGL_ALWAYS_SOFTWARE"), ["1", "true", "yes", "y"].contains(String(cString: value)) {
            return false
        }
        let devices = ["/dev/dri", "/dev/nvidia0", "/dev/dxg", "/dev/mali0", "/dev/kgsl-3d0"]
        guard devices.contains(where: { access($0, F_OK) == 0 }) else { return false }
        return EGLPlatform.hasHardwareDevice
    }
}
