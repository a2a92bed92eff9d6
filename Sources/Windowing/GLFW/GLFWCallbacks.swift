import GlissadeCGLFW
import GlissadeGeometry

/// Registers GLFW's callbacks for the window `handle`. The callbacks find the window's event queue through the window's
/// user pointer.
///
/// GLFW calls the callbacks from `glfwPollEvents`, from similar functions, and from some setters. This program calls
/// all of these functions on the main thread.
@MainActor func attachCallbacks(to handle: OpaquePointer) {
    glfwSetFramebufferSizeCallback(handle) { window, _, _ in with(window) { $0.resized() } }
    glfwSetWindowContentScaleCallback(handle) { window, _, _ in with(window) { $0.resized() } }
    glfwSetWindowPosCallback(handle) { window, x, y in
        with(window) { $0.wasMoved(to: Point(x: Double(x), y: Double(y))) }
    }
    glfwSetWindowCloseCallback(handle) { window in
        // Clears GLFW's own flag, which this program does not use and which would otherwise stay set.
        glfwSetWindowShouldClose(window, GLFW_FALSE)
        with(window) { $0.record(.closeRequested) }
    }
    glfwSetWindowFocusCallback(handle) { window, focused in with(window) { $0.focusChanged(focused == GLFW_TRUE) } }
    glfwSetWindowIconifyCallback(handle) { window, iconified in with(window) { $0.iconified(iconified == GLFW_TRUE) } }
    glfwSetWindowRefreshCallback(handle) { window in with(window) { $0.damaged() } }
    glfwSetDropCallback(handle) { window, count, paths in
        let files = (0..<Int(count)).compactMap { index in (paths?[index]).map { String(cString: $0) } }
        with(window) { $0.record(.filesDropped(files)) }
    }

    glfwSetCursorPosCallback(handle) { window, x, y in with(window) { $0.moved(x: x, y: y) } }
    glfwSetCursorEnterCallback(handle) { window, entered in with(window) { $0.entered(entered == GLFW_TRUE) } }
    glfwSetMouseButtonCallback(handle) { window, button, action, modifiers in
        with(window) { $0.clicked(button, isPress: action == GLFW_PRESS, modifiers: modifiers) }
    }
    glfwSetScrollCallback(handle) { window, x, y in with(window) { $0.scrolled(x: x, y: y) } }
    glfwSetKeyCallback(handle) { window, key, scancode, action, modifiers in
        with(window) { $0.key(key, scancode: scancode, action: action, modifiers: modifiers) }
    }
    glfwSetCharCallback(handle) { window, codepoint in with(window) { $0.typed(codepoint) } }
}

/// Calls `body` with the window's event queue, if it has one.
private func with(_ window: OpaquePointer?, _ body: @MainActor (GLFWEventQueue) -> Void) {
    guard let pointer = glfwGetWindowUserPointer(window) else { return }
    let eventQueue = Unmanaged<GLFWEventQueue>.fromOpaque(pointer).takeUnretainedValue()
    MainActor.assumeIsolated { body(eventQueue) }
}
